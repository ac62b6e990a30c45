using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Checking;

/// <summary>Checks defaults, for which the types of fields must be known.</summary>
internal static class DefaultChecks
{
    public static void Check(ParsedFile file)
    {
        foreach (var field in NodeWalk.All(file).OfType<ParsedField>())
        {
            if (field.Model.Default is not { } text) continue;
            if (field.Model.IsRepeated) file.Faults.Error(field.DefaultPosition, "Repeated fields have no default.");
            else if (field.Message is not null) file.Faults.Error(field.DefaultPosition, "Messages have no default.");
            else if (field.Enum is { } type && type.Find(text) is null)
                file.Faults.Error(field.DefaultPosition, $"The default is not a value of {type.Model.FullName}; allowed are the names of its values.");
        }
    }
}
