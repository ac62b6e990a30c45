using Mux.Description;
using Mux.Description.Proto;
using Mux.Generators.Importing.Naming;

namespace Mux.Generators.Importing.Emitting;

/// <summary>The member of a field.</summary>
/// <param name="TypeName">The C# type.</param>
/// <param name="Initial">Expression of its first value; null for the default of the type.</param>
/// <param name="Attributes">Attributes, in one list.</param>
/// <param name="IsOmittedIfEmpty">True for bytes that are not written if they are empty.</param>
internal sealed record FieldShape(string TypeName, string? Initial, string Attributes, bool IsOmittedIfEmpty = false)
{
    private const string Generic = "global::System.Collections.Generic.";

    public static FieldShape Of(ProtoField field, CSharpNames names)
    {
        if (field.Message is { IsMapEntry: true } entry && field.IsMap && !IsListOfEntries(entry)) return OfMap(field, entry, names);
        var value = ValueShape.Of(field, names, isInMap: false);
        var type = value.TypeName;
        if (field.IsRepeated) return new FieldShape($"{Generic}List<{type}>", $"new {Generic}List<{type}>()", Attribute(field, value));
        bool isMessage = field.Message is not null;
        if (isMessage || field is { HasPresence: true, IsRequired: false }) return new FieldShape(type + "?", null, Attribute(field, value));
        return field switch
        {
            { Kind: FieldKind.String, IsRequired: false } =>
                new FieldShape(type, "\"\"", Attribute(field, value) + ", global::System.ComponentModel.DefaultValue(\"\")"),
            { Kind: FieldKind.String } => new FieldShape(type, "\"\"", Attribute(field, value)),
            { Kind: FieldKind.Bytes } => new FieldShape(type, "global::System.Array.Empty<byte>()", Attribute(field, value), !field.IsRequired),
            { Enum.Values: { Count: > 0 } values } when values[0].Number != 0 => new FieldShape(type, $"({type})({values[0].Number})", Attribute(field, value)),
            _ => new FieldShape(type, null, Attribute(field, value)),
        };
    }

    /// <summary>
    /// True for a map of which C# has no dictionary with the same bytes: protobuf-net knows no formats of values by bool. Its entries are messages.
    /// </summary>
    public static bool IsListOfEntries(ProtoMessage entry) => entry.Fields.Exists(static field => field is { Number: 1, Kind: FieldKind.Bool });

    private static FieldShape OfMap(ProtoField field, ProtoMessage entry, CSharpNames names)
    {
        var key = ValueShape.Of(entry.Fields.Find(static part => part.Number == 1)!, names, isInMap: true);
        var value = ValueShape.Of(entry.Fields.Find(static part => part.Number == 2)!, names, isInMap: true);
        var type = $"{Generic}Dictionary<{key.TypeName}, {value.TypeName}>";
        var formats = new List<string>();
        if (key.Format is not null) formats.Add($"KeyFormat = global::ProtoBuf.DataFormat.{key.Format}");
        if (value.Format is not null) formats.Add($"ValueFormat = global::ProtoBuf.DataFormat.{value.Format}");
        var options = formats.Count == 0 ? string.Empty : $"({string.Join(", ", formats)})";
        return new FieldShape(type, $"new {type}()", $"{Member(field, [])}, global::ProtoBuf.ProtoMap{options}{Level(value)}");
    }

    private static string Attribute(ProtoField field, ValueShape value)
    {
        var options = new List<string>();
        if (value.Format is not null) options.Add($"DataFormat = global::ProtoBuf.DataFormat.{value.Format}");
        if (field is { IsRepeated: true, IsPacked: true }) options.Add("IsPacked = true");
        if (field.IsRequired && field.Message is null) options.Add("IsRequired = true");
        if (field is { Kind: FieldKind.Bytes, IsRepeated: false }) options.Add("OverwriteList = true"); // or bytes that are there twice would be joined
        return Member(field, options) + (value.Framework is { IsWrapped: true } ? ", global::ProtoBuf.NullWrappedValue" : string.Empty) + Level(value);
    }

    private static string Member(ProtoField field, List<string> options) =>
        $"global::ProtoBuf.ProtoMember({string.Join(", ", options.Prepend($"{field.Number}"))})";

    private static string Level(ValueShape value) =>
        value.Framework is { IsLevel200: true } ? ", global::Mux.MuxCompatibilityLevel(global::Mux.MuxCompatibilityLevel.Level200)" : string.Empty;
}
