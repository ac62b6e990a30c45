using Mux.Description.Proto.Parsing.Options;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Checking;

/// <summary>Checks imports, options of the file, services and extensions.</summary>
internal static class FileChecks
{
    public static void Check(ParsedFile file, bool isRoot)
    {
        CheckImports(file, isRoot);
        if (file.IsEdition && file.Features.Presence == "LEGACY_REQUIRED")
            file.Faults.Error(default, "A file cannot make all fields required: allowed are EXPLICIT and IMPLICIT.");
        if (file.IsEdition && file.Values?.Flag("java_string_check_utf8") == true)
            file.Faults.Error(default, "The option java_string_check_utf8 is not allowed in editions.");
        bool hasGenericServices = file.Values?.Flag("cc_generic_services") == true || file.Values?.Flag("java_generic_services") == true;
        if (file.IsLite && hasGenericServices && file.Services.Count > 0)
            file.Faults.Error(file.Services[0].Position,
                "Files with optimize_for = LITE_RUNTIME have no services with cc_generic_services or java_generic_services.");
        WarnOfExtensions(file);
    }

    private static void CheckImports(ParsedFile file, bool isRoot)
    {
        for (int i = 0; i < file.Imports.Count; i++)
        {
            var import = file.Model.Imports[i];
            var imported = file.Imports[i];
            if (imported.IsLite && !file.IsLite)
                file.Faults.Error(import.Position, $"'{import.Name}' has optimize_for = LITE_RUNTIME: only files with this option can import it.");
            if (isRoot && !import.IsPublic && !file.Used.Contains(imported) && !imported.Model.Imports.Exists(static passed => passed.IsPublic))
                file.Faults.Warn(import.Position, $"The import of '{import.Name}' is not used.");
        }
    }

    private static void WarnOfExtensions(ParsedFile file)
    {
        ProtoPosition reported = default;
        foreach (var field in NodeWalk.All(file).OfType<ParsedField>())
        {
            if (!field.IsExtension || field.Extended.Position == reported || OptionSchema.IsOptions(field.ExtendedMessage!)) continue;
            reported = field.Extended.Position;
            file.Faults.Warn(
                reported,
                $"Mux does not support extensions: those of {field.ExtendedMessage!.Model.FullName} are left out, and their values are unknown fields.");
        }
    }
}
