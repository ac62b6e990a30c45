using System.Text.Encodings.Web;
using System.Text.Json;

namespace Mux.Description.Json;

/// <summary>A field, prepared for JSON.</summary>
internal sealed class JsonField
{
    private const uint Length = 2;

    public JsonField(Field field, int slot, int oneof)
    {
        Field = field;
        Slot = slot;
        Oneof = oneof;
        Kind = field.Kind;
        IsRepeated = field.IsRepeated;
        IsMap = field.IsMap;
        HasPresence = field.HasPresence;
        Tag = ((uint)field.Number << 3) | WireOf(field.Kind);
        PackedTag = field.IsRepeated && (Tag & 7) is 0 or 1 or 5 ? (Tag & ~7u) | Length : Tag;
        Name = JsonEncodedText.Encode(field.JsonName, JavaScriptEncoder.UnsafeRelaxedJsonEscaping);
        FieldName = JsonEncodedText.Encode(field.Name, JavaScriptEncoder.UnsafeRelaxedJsonEscaping);
    }

    public Field Field { get; }

    /// <summary>Gets the position among the fields of the message.</summary>
    public int Slot { get; }

    /// <summary>Gets the number of the oneof; -1 for none.</summary>
    public int Oneof { get; }

    public FieldKind Kind { get; }

    public bool IsRepeated { get; }

    public bool IsMap { get; }

    public bool HasPresence { get; }

    /// <summary>Gets the tag of one value.</summary>
    public uint Tag { get; }

    /// <summary>Gets the tag of a block of values; the same as <see cref="Tag"/> if there is none.</summary>
    public uint PackedTag { get; }

    public JsonEncodedText Name { get; }

    public JsonEncodedText FieldName { get; }

    public bool IsMessage => Kind is FieldKind.Message or FieldKind.Group;

    /// <summary>Gets the message, or the entry of a map.</summary>
    public JsonType Type => field ??= Field.Message!.Json;

    public JsonEnum Enum => field ??= Field.Enum!.Json;

    public JsonField MapKey => Type.Fields[0];

    public JsonField MapValue => Type.Fields[1];

    /// <summary>Gets a value indicating whether null in JSON is a value.</summary>
    public bool AcceptsNull => Kind switch
    {
        FieldKind.Message => Type.WellKnown == WellKnown.Value,
        FieldKind.Enum => Enum.IsNull,
        _ => false,
    };

    public bool Accepts(uint tag) => tag == Tag || tag == PackedTag;

    private static uint WireOf(FieldKind kind) => kind switch
    {
        FieldKind.Double or FieldKind.Fixed64 or FieldKind.SFixed64 => 1,
        FieldKind.Float or FieldKind.Fixed32 or FieldKind.SFixed32 => 5,
        FieldKind.String or FieldKind.Bytes or FieldKind.Message => Length,
        FieldKind.Group => 3,
        _ => 0,
    };
}
