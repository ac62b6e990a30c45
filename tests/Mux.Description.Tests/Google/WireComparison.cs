using Google.Protobuf.Reflection;

namespace Mux.Description.Tests.Google;

/// <summary>Compares what the bytes of two messages depend on: numbers, types, nesting. Names may differ, and so may an enum and a number of 32 bits.</summary>
internal sealed class WireComparison
{
    private const string ReadOnly = "bcl.DateTime.kind"; // read and never written

    private readonly HashSet<(string Expected, string Actual)> _compared = [];
    private readonly List<string> _differences = [];

    private WireComparison()
    {
    }

    public static IReadOnlyList<string> Differences(MessageDescriptor expected, MessageDescriptor actual)
    {
        var comparison = new WireComparison();
        comparison.Compare(expected, actual);
        return comparison._differences;
    }

    private void Compare(MessageDescriptor expected, MessageDescriptor actual)
    {
        if (!_compared.Add((expected.FullName, actual.FullName))) return;
        foreach (var field in actual.Fields.InFieldNumberOrder())
        {
            if (expected.FindFieldByNumber(field.FieldNumber) is null && field.FullName != ReadOnly) Tell("has more", field, field);
        }

        foreach (var field in expected.Fields.InFieldNumberOrder())
        {
            if (actual.FindFieldByNumber(field.FieldNumber) is not { } other) Tell("has not", field, field);
            else Compare(field, other);
        }
    }

    private void Compare(FieldDescriptor expected, FieldDescriptor actual)
    {
        bool isEnum = actual.FieldType == FieldType.Enum && expected.FieldType is FieldType.Int32 or FieldType.UInt32;
        if (expected.FieldType != actual.FieldType && !isEnum) Tell("has another type", expected, actual);
        else if (expected.IsRepeated != actual.IsRepeated) Tell("is not repeated alike", expected, actual);
        else if (expected.IsRepeated && expected.IsPacked != actual.IsPacked) Tell("is not packed alike", expected, actual);
        else if (expected.FieldType is FieldType.Message or FieldType.Group) Compare(expected.MessageType, actual.MessageType);
    }

    private void Tell(string what, FieldDescriptor expected, FieldDescriptor actual) =>
        _differences.Add($"{actual.FullName} = {actual.FieldNumber} ({actual.FieldType}) {what}: {expected.FullName} ({expected.FieldType})");
}
