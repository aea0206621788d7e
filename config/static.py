"""Static files under names that hold their content's hash, which a browser keeps for good."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """WhiteNoise's storage, which also renames what scripts import."""

    support_js_module_import_aggregation = True
