using Mux.Description;
using Mux.Description.Proto;

namespace Mux.Generators.Importing;

/// <summary>Messages for which C# has a type: fields of them are members of this type.</summary>
internal static class FrameworkValues
{
    /// <summary>Gets the C# type of a field; null if it is a message like others.</summary>
    /// <param name="field">The field.</param>
    /// <param name="isInMap">True for the key or value of a map.</param>
    public static FrameworkValue? Of(ProtoField field, bool isInMap)
    {
        if (field.Message is null || field.IsMap) return null;
        bool mayBeNull = field is { IsRepeated: false, Kind: FieldKind.Message } && !isInMap;
        return Known(field.TypeName!) ?? (mayBeNull ? Wrapped(field.TypeName!) : null);
    }

    private static FrameworkValue? Known(string name) => name switch
    {
        "google.protobuf.Timestamp" => new FrameworkValue("global::System.DateTime"),
        "google.protobuf.Duration" => new FrameworkValue("global::System.TimeSpan"),
        "bcl.Guid" => new FrameworkValue("global::System.Guid", IsLevel200: true),
        "bcl.Decimal" => new FrameworkValue("decimal", IsLevel200: true),
        "bcl.DateTime" => new FrameworkValue("global::System.DateTime", IsLevel200: true),
        "bcl.TimeSpan" => new FrameworkValue("global::System.TimeSpan", IsLevel200: true),
        _ => null,
    };

    // Items cannot be null: a list of wrappers is a list of messages.
    private static FrameworkValue? Wrapped(string name) => name switch
    {
        "google.protobuf.DoubleValue" => new FrameworkValue("double", IsWrapped: true),
        "google.protobuf.FloatValue" => new FrameworkValue("float", IsWrapped: true),
        "google.protobuf.Int64Value" => new FrameworkValue("long", IsWrapped: true),
        "google.protobuf.UInt64Value" => new FrameworkValue("ulong", IsWrapped: true),
        "google.protobuf.Int32Value" => new FrameworkValue("int", IsWrapped: true),
        "google.protobuf.UInt32Value" => new FrameworkValue("uint", IsWrapped: true),
        "google.protobuf.BoolValue" => new FrameworkValue("bool", IsWrapped: true),
        "google.protobuf.StringValue" => new FrameworkValue("string", IsWrapped: true),
        "google.protobuf.BytesValue" => new FrameworkValue("byte[]", IsWrapped: true),
        _ => null,
    };
}
