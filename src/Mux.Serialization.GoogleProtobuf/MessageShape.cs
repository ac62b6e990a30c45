using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Serialization.GoogleProtobuf;

/// <summary>
/// The properties of a message type from which the memory of its objects can be computed: its fields, and the size of one object. Not changed after creation.
/// </summary>
internal sealed class MessageShape
{
    // Measured with 64-bit pointers: an object with a reference to its unknown fields, a field, the list and the map that each object has, and an entry with
    // its place in the table.
    private const int ObjectSize = 24;
    private const int FieldSize = 8;
    private const int ListSize = 32;
    private const int MapSize = 152;
    private const int EntrySize = 104;

    private readonly Dictionary<uint, MessageShape?> _byTag = []; // all fields in the forms that the library reads; null for those without messages
    private readonly HashSet<uint> _choices = [];

    /// <summary>The shape of messages of unknown type.</summary>
    public static MessageShape Unknown { get; } = new();

    /// <summary>Approximate size of an object in bytes.</summary>
    public int Size { get; private set; }

    /// <summary>For entries of a map with integer keys: how the keys are written; otherwise null.</summary>
    public FieldType? Key { get; private set; }

    /// <summary>Finds a field.</summary>
    /// <param name="tag">Tag of the field. A field in another form than declared is unknown, as in the library.</param>
    /// <param name="inner">Shape of the messages in the field; null if it has none.</param>
    /// <returns>True if there is such a field.</returns>
    public bool TryFind(uint tag, out MessageShape? inner) => _byTag.TryGetValue(tag, out inner);

    /// <summary>True if a field is a message of a oneof.</summary>
    public bool IsChoice(uint tag) => _choices.Contains(tag);

    private static MessageShape Read(MessageDescriptor type, Dictionary<MessageDescriptor, MessageShape> known)
    {
        if (known.TryGetValue(type, out var shape)) return shape;
        known.Add(type, shape = new MessageShape { Size = ObjectSize });
        foreach (var field in type.Fields.InFieldNumberOrder())
        {
            shape.Size += FieldSize + (field.IsMap ? MapSize : field.IsRepeated ? ListSize : 0);
            var inner = field.FieldType is FieldType.Message or FieldType.Group ? Read(field.MessageType, known) : null;
            shape._byTag.Add(TagOf(field, WireTypeOf(field.FieldType)), inner);
            if (field.IsRepeated && WireTypeOf(field.FieldType) is not (WireFormat.WireType.LengthDelimited or WireFormat.WireType.StartGroup))
            {
                shape._byTag.Add(TagOf(field, WireFormat.WireType.LengthDelimited), null);
            }

            if (inner is null) continue;
            if (field.RealContainingOneof is not null) shape._choices.Add(TagOf(field, WireTypeOf(field.FieldType)));
            if (field.IsMap) inner.BecomeEntry(field.MessageType.FindFieldByNumber(1).FieldType);
        }

        return shape;
    }

    private static uint TagOf(FieldDescriptor field, WireFormat.WireType written) => WireFormat.MakeTag(field.FieldNumber, written);

    private static WireFormat.WireType WireTypeOf(FieldType type) => type switch
    {
        FieldType.Double or FieldType.Fixed64 or FieldType.SFixed64 => WireFormat.WireType.Fixed64,
        FieldType.Float or FieldType.Fixed32 or FieldType.SFixed32 => WireFormat.WireType.Fixed32,
        FieldType.String or FieldType.Bytes or FieldType.Message => WireFormat.WireType.LengthDelimited,
        FieldType.Group => WireFormat.WireType.StartGroup,
        _ => WireFormat.WireType.Varint,
    };

    private void BecomeEntry(FieldType key)
    {
        Size = EntrySize;
        Key = key is FieldType.String or FieldType.Bool ? null : key;
    }

    /// <summary>The shape of one type, and of all types that it reaches.</summary>
    internal static class OfType<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>
    {
        /// <summary>Gets the shape, read from the type's descriptor.</summary>
        public static MessageShape Shape { get; } = Read(((IMessage)Activator.CreateInstance<T>()!).Descriptor, []);
    }
}
