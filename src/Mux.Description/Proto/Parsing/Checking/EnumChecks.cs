using Mux.Description.Proto.Parsing.Linking;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Checking;

/// <summary>Checks enums: their first value, aliases, and names that are equal without the name of the enum.</summary>
internal static class EnumChecks
{
    public static void Check(ParsedFile file)
    {
        foreach (var type in NodeWalk.All(file).OfType<ParsedEnum>())
        {
            if (!type.Model.IsClosed && type.Members[0].Model.Number != 0)
                file.Faults.Error(type.Members[0].NumberPosition,
                    $"The first value of the open enum '{type.Model.Name}' has the number {type.Members[0].Model.Number}; allowed is 0.");
            CheckAliases(type);
            CheckNames(type);
        }
    }

    private static void CheckAliases(ParsedEnum type)
    {
        bool hasAliases = false;
        var numbers = new Dictionary<int, ParsedEnumValue>();
        foreach (var value in type.Members)
        {
            if (!numbers.TryGetValue(value.Model.Number, out var other))
            {
                numbers.Add(value.Model.Number, value);
                continue;
            }

            hasAliases = true;
            if (!type.Model.AllowsAliases)
                type.File.Faults.Error(value.NumberPosition,
                    $"The number {value.Model.Number} of '{value.Model.Name}' is already used by '{other.Model.Name}'; option allow_alias = true allows it.");
        }

        if (type.Options.Find(static option => option.Is("allow_alias")) is not { } aliases) return;
        if (!type.Model.AllowsAliases) type.File.Faults.Error(aliases.Position, "The option allow_alias = false has no effect: remove it.");
        else if (!hasAliases) type.File.Faults.Error(aliases.Position, "The option allow_alias = true has no effect: no values share a number.");
    }

    private static void CheckNames(ParsedEnum type)
    {
        bool isWarning = type.File.Model.Syntax == ProtoSyntax.Proto2 && type.Values?.Flag("deprecated_legacy_json_field_conflicts") == true;
        var names = new Dictionary<string, ParsedEnumValue>(StringComparer.Ordinal);
        foreach (var value in type.Members)
        {
            var name = JsonNames.OfValue(type.Model.Name, value.Model.Name);
            if (!names.TryGetValue(name, out var other))
            {
                names.Add(name, value);
                continue;
            }

            if (other.Model.Name == value.Model.Name || other.Model.Number == value.Model.Number) continue;
            var message =
                $"The values '{other.Model.Name}' and '{value.Model.Name}' differ only in case or in the name of the enum before them, which JSON leaves out.";
            if (isWarning) type.File.Faults.Warn(value.Position, message);
            else type.File.Faults.Error(value.Position, message);
        }
    }
}
