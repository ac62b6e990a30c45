using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Checking;

/// <summary>Checks numbers, reserved ones included. Needs no options, but for a word that moves the greatest number.</summary>
internal static class StructureChecks
{
    private const int FirstOfProtobuf = 19_000;
    private const int LastOfProtobuf = 19_999;

    public static void Check(ParsedFile file)
    {
        foreach (var node in NodeWalk.All(file))
        {
            if (node is ParsedMessage message) Check(message, file.Faults);
            else if (node is ParsedEnum type) Check(type, file.Faults);
            else if (node is ParsedField field) CheckNumber(field, file.Faults);
        }
    }

    private static void Check(ParsedMessage message, FileFaults faults)
    {
        bool isSet = message.Options.Exists(static option => option.Is("message_set_wire_format") && option.Value.Text == "true");
        int max = isSet ? int.MaxValue - 1 : ProtoLimits.FieldNumber;
        foreach (var range in message.Reserved.Concat(message.ExtensionRanges))
        {
            if (range.Last == ParsedRange.Max) range.Last = max;
            if (range.First <= 0) faults.Error(range.Position, $"The number {range.First} is out of range: allowed are 1 to {max}.");
            else if (range.First > range.Last) faults.Error(range.Position, $"The range ends with {range.Last}, before its start {range.First}.");
        }

        foreach (var range in message.ExtensionRanges)
        {
            if (range.Last > max) faults.Error(range.Position, $"The number {range.Last} is out of range: allowed are 1 to {max}.");
        }

        var ranges = RangeChecks.Of(message.Reserved.Concat(message.ExtensionRanges), faults);
        var names = CheckNames(message.ReservedNames, faults);
        var numbers = new Dictionary<int, ParsedField>();
        foreach (var field in message.Fields)
        {
            var model = field.Model;
            if (ranges.Find(model.Number) is { } range)
                faults.Error(field.NumberPosition,
                    $"The number {model.Number} of '{model.Name}' is in {range.First} to {range.Last}, which are reserved or for extensions.");
            if (names.Contains(model.Name)) faults.Error(field.Position, $"The name '{model.Name}' is reserved.");
            if (!numbers.TryGetValue(model.Number, out var other)) numbers.Add(model.Number, field);
            else faults.Error(field.NumberPosition, $"The number {model.Number} of '{model.Name}' is already used: '{other.Model.Name}' has it.");
        }

        foreach (var oneof in message.Oneofs)
        {
            if (!oneof.HasFields) faults.Error(oneof.Position, $"The oneof '{oneof.Model.Name}' has no fields; it needs at least one.");
        }
    }

    private static void CheckNumber(ParsedField field, FileFaults faults)
    {
        int number = field.Model.Number;
        if (number <= 0 || (number > ProtoLimits.FieldNumber && !field.IsExtension))
            faults.Error(field.NumberPosition, $"The number {number} is out of range: allowed are 1 to {ProtoLimits.FieldNumber}.");
        else if (number is >= FirstOfProtobuf and <= LastOfProtobuf)
            faults.Error(field.NumberPosition, $"The number {number} is out of range: protobuf itself uses {FirstOfProtobuf} to {LastOfProtobuf}.");
    }

    private static void Check(ParsedEnum type, FileFaults faults)
    {
        if (type.Members.Count == 0) faults.Error(type.Position, $"The enum '{type.Model.Name}' has no values; it needs at least one.");
        foreach (var range in type.Reserved)
        {
            if (range.First > range.Last) faults.Error(range.Position, $"The range ends with {range.Last}, before its start {range.First}.");
        }

        var ranges = RangeChecks.Of(type.Reserved, faults);
        var names = CheckNames(type.ReservedNames, faults);
        foreach (var value in type.Members)
        {
            if (ranges.Find(value.Model.Number) is not null)
                faults.Error(value.NumberPosition, $"The number {value.Model.Number} of '{value.Model.Name}' is reserved.");
            if (names.Contains(value.Model.Name)) faults.Error(value.Position, $"The name '{value.Model.Name}' is reserved.");
        }
    }

    private static HashSet<string> CheckNames(List<ParsedName> names, FileFaults faults)
    {
        var all = new HashSet<string>(StringComparer.Ordinal);
        foreach (var name in names)
        {
            if (!all.Add(name.Text)) faults.Error(name.Position, $"The name '{name.Text}' is reserved twice.");
        }

        return all;
    }
}
