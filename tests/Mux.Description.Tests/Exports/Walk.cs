using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Description.Tests.Exports;

/// <summary>
/// A program that knows a message by descriptors only: it reads all fields by number and type, refuses what the descriptors do not say, and writes them in the
/// form that the descriptors say.
/// </summary>
internal static class Walk
{
    /// <exception cref="FormatException">The bytes have a field that the message does not have, or of another type.</exception>
    public static byte[] Rewrite(ReadOnlySpan<byte> bytes, MessageDescriptor message)
    {
        var input = new CodedInputStream(bytes.ToArray());
        var output = new MemoryStream();
        using var coded = new CodedOutputStream(output, leaveOpen: true);
        Copy(input, coded, message, endTag: 0);
        coded.Flush();
        return output.ToArray();
    }

    private static void Copy(CodedInputStream input, CodedOutputStream output, MessageDescriptor message, uint endTag)
    {
        for (uint tag; (tag = input.ReadTag()) != endTag;)
        {
            var field = message.FindFieldByNumber((int)(tag >> 3)) ?? throw new FormatException($"{message.FullName} has no field {tag >> 3}.");
            bool isBlock = field.IsRepeated && field.IsPacked && TypeOf(field) is not (FieldType.String or FieldType.Bytes or FieldType.Message or FieldType.Group);
            if ((tag & 7) != (isBlock ? 2 : WireTypeOf(TypeOf(field)))) throw new FormatException($"{field.FullName} has the wire type {tag & 7}, not that of {TypeOf(field)}.");
            output.WriteTag(tag);
            if (isBlock) CopyBlock(input, output, field);
            else Copy(input, output, field);
        }
    }

    private static void CopyBlock(CodedInputStream input, CodedOutputStream output, FieldDescriptor field)
    {
        var block = new CodedInputStream(input.ReadBytes().ToByteArray());
        var items = new MemoryStream();
        using var coded = new CodedOutputStream(items, leaveOpen: true);
        while (!block.IsAtEnd) Copy(block, coded, field);
        coded.Flush();
        output.WriteBytes(ByteString.CopyFrom(items.ToArray()));
    }

    private static void Copy(CodedInputStream input, CodedOutputStream output, FieldDescriptor field)
    {
        switch (TypeOf(field))
        {
            case FieldType.Double: output.WriteDouble(input.ReadDouble()); break;
            case FieldType.Float: output.WriteFloat(input.ReadFloat()); break;
            case FieldType.Int64: output.WriteInt64(input.ReadInt64()); break;
            case FieldType.UInt64: output.WriteUInt64(input.ReadUInt64()); break;
            case FieldType.Int32: output.WriteInt32(input.ReadInt32()); break;
            case FieldType.Fixed64: output.WriteFixed64(input.ReadFixed64()); break;
            case FieldType.Fixed32: output.WriteFixed32(input.ReadFixed32()); break;
            case FieldType.Bool: output.WriteBool(input.ReadBool()); break;
            case FieldType.String: output.WriteString(input.ReadString()); break;
            case FieldType.Bytes: output.WriteBytes(input.ReadBytes()); break;
            case FieldType.UInt32: output.WriteUInt32(input.ReadUInt32()); break;
            case FieldType.SFixed32: output.WriteSFixed32(input.ReadSFixed32()); break;
            case FieldType.SFixed64: output.WriteSFixed64(input.ReadSFixed64()); break;
            case FieldType.SInt32: output.WriteSInt32(input.ReadSInt32()); break;
            case FieldType.SInt64: output.WriteSInt64(input.ReadSInt64()); break;
            case FieldType.Enum: output.WriteEnum(input.ReadEnum()); break;
            case FieldType.Message: output.WriteBytes(ByteString.CopyFrom(Rewrite(input.ReadBytes().Span, field.MessageType))); break;
            default:
                uint end = ((uint)field.FieldNumber << 3) | 4;
                Copy(input, output, field.MessageType, end);
                output.WriteTag(end);
                break;
        }
    }

    // The library resolves some groups to messages.
    private static FieldType TypeOf(FieldDescriptor field) =>
        field.ToProto().Type == FieldDescriptorProto.Types.Type.Group ? FieldType.Group : field.FieldType;

    private static uint WireTypeOf(FieldType type) => type switch
    {
        FieldType.Double or FieldType.Fixed64 or FieldType.SFixed64 => 1,
        FieldType.Float or FieldType.Fixed32 or FieldType.SFixed32 => 5,
        FieldType.String or FieldType.Bytes or FieldType.Message => 2,
        FieldType.Group => 3,
        _ => 0,
    };
}
