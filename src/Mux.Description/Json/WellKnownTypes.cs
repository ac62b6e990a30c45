namespace Mux.Description.Json;

/// <summary>Finds the messages with their own form. A message of that name with other fields, which a peer may describe, is an ordinary one.</summary>
internal static class WellKnownTypes
{
    private const string Google = "google.protobuf.";

    public static WellKnown Of(MessageType message) => message.FullName switch
    {
        Google + "Timestamp" when Has(message, FieldKind.Int64, FieldKind.Int32) => WellKnown.Timestamp,
        Google + "Duration" when Has(message, FieldKind.Int64, FieldKind.Int32) => WellKnown.Duration,
        Google + "FieldMask" when HasList(message, FieldKind.String) => WellKnown.FieldMask,
        Google + "Any" when Has(message, FieldKind.String, FieldKind.Bytes) => WellKnown.Any,
        Google + "Struct" when IsMapOfValues(message) => WellKnown.Struct,
        Google + "ListValue" when HasList(message, FieldKind.Message) && message.Fields[0].Message!.FullName == Google + "Value" => WellKnown.ListValue,
        Google + "Value" when IsValue(message) => WellKnown.Value,
        Google + "DoubleValue" when Has(message, FieldKind.Double) => WellKnown.Wrapper,
        Google + "FloatValue" when Has(message, FieldKind.Float) => WellKnown.Wrapper,
        Google + "Int64Value" when Has(message, FieldKind.Int64) => WellKnown.Wrapper,
        Google + "UInt64Value" when Has(message, FieldKind.UInt64) => WellKnown.Wrapper,
        Google + "Int32Value" when Has(message, FieldKind.Int32) => WellKnown.Wrapper,
        Google + "UInt32Value" when Has(message, FieldKind.UInt32) => WellKnown.Wrapper,
        Google + "BoolValue" when Has(message, FieldKind.Bool) => WellKnown.Wrapper,
        Google + "StringValue" when Has(message, FieldKind.String) => WellKnown.Wrapper,
        Google + "BytesValue" when Has(message, FieldKind.Bytes) => WellKnown.Wrapper,
        "bcl.DateTime" when Has(message, FieldKind.SInt64, FieldKind.Enum, FieldKind.Enum) => WellKnown.DateTime,
        "bcl.TimeSpan" when Has(message, FieldKind.SInt64, FieldKind.Enum) => WellKnown.TimeSpan,
        "bcl.Guid" when Has(message, FieldKind.Fixed64, FieldKind.Fixed64) => WellKnown.Guid,
        "bcl.Decimal" when Has(message, FieldKind.UInt64, FieldKind.UInt32, FieldKind.UInt32) => WellKnown.Decimal,
        _ => WellKnown.None,
    };

    private static bool Has(MessageType message, params ReadOnlySpan<FieldKind> kinds)
    {
        bool isAlike = message.Fields.Count == kinds.Length;
        for (int i = 0; isAlike && i < kinds.Length; i++)
            isAlike = message.Fields[i] is { IsRepeated: false } field && field.Number == i + 1 && field.Kind == kinds[i];
        return isAlike;
    }

    private static bool HasList(MessageType message, FieldKind kind) =>
        message.Fields is [{ Number: 1, IsRepeated: true, IsMap: false } field] && field.Kind == kind;

    private static bool IsMapOfValues(MessageType message) =>
        message.Fields is [{ Number: 1, IsMap: true } map] && map.Message!.Fields is [{ Kind: FieldKind.String }, { Kind: FieldKind.Message } value]
        && value.Message!.FullName == Google + "Value";

    private static bool IsValue(MessageType message) =>
        Has(message, FieldKind.Enum, FieldKind.Double, FieldKind.String, FieldKind.Bool, FieldKind.Message, FieldKind.Message)
        && message.Fields.All(static field => field.Oneof == "kind") && message.Fields[0].Enum!.FullName == Google + "NullValue"
        && message.Fields[4].Message!.FullName == Google + "Struct" && message.Fields[5].Message!.FullName == Google + "ListValue";
}
