using System.Text;
using System.Text.Json;

namespace Mux.Description.Json;

/// <summary>Reads a message of any type. The address of the type may follow the fields, so the object is passed over once before it is read.</summary>
internal static class AnyParser
{
    private const uint AddressTag = (1 << 3) | 2;
    private const uint ValueTag = (2 << 3) | 2;

    public static void Read(MessageParser parser, ref Utf8JsonReader reader)
    {
        MessageParser.Expect(ref reader, JsonTokenType.StartObject);
        if (FindAddress(parser, reader) is not { } address)
        {
            reader.Read();
            if (reader.TokenType != JsonTokenType.EndObject) JsonFault.Throw("is a google.protobuf.Any without '@type'; allowed is one");
            return;
        }

        var type = AnyFormatter.Find(parser.AnyTypes, address);
        parser.Buffer.WriteVarint(AddressTag);
        int start = parser.Buffer.Begin();
        parser.Buffer.Advance(Encoding.UTF8.GetBytes(address, parser.Buffer.Room(Encoding.UTF8.GetByteCount(address))));
        parser.Buffer.End(start);
        int before = parser.Buffer.Length;
        parser.Buffer.WriteVarint(ValueTag);
        start = parser.Buffer.Begin();
        if (type.WellKnown == WellKnown.None && type.Message.FullName != "google.protobuf.Empty") parser.ReadFields(ref reader, type, isAny: true);
        else ReadOwnForm(parser, ref reader, type);
        if (parser.Buffer.Length == start) parser.Buffer.Truncate(before);
        else parser.Buffer.End(start);
    }

    private static string? FindAddress(MessageParser parser, Utf8JsonReader ahead)
    {
        while (ahead.Read() && ahead.TokenType == JsonTokenType.PropertyName)
        {
            if (ahead.ValueTextEquals("@type"u8))
            {
                ahead.Read();
                var text = parser.ReadText(ref ahead, "addresses of types such as 'type.googleapis.com/package.Name'");
                if (!System.Text.Unicode.Utf8.IsValid(text)) JsonFault.Throw("has an '@type' that is not UTF-8");
                return Encoding.UTF8.GetString(text);
            }

            ahead.Skip();
        }

        return null;
    }

    private static void ReadOwnForm(MessageParser parser, ref Utf8JsonReader reader, JsonType type)
    {
        bool hasType = false;
        bool hasValue = false;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isType = reader.ValueTextEquals("@type"u8);
            if (!isType && !reader.ValueTextEquals("value"u8))
            {
                parser.SkipUnknown(ref reader, type);
                continue;
            }

            ref bool isThere = ref isType ? ref hasType : ref hasValue;
            if (isThere) JsonFault.Throw("has '@type' or 'value' twice; allowed is each once");
            isThere = true;
            reader.Read();
            if (isType) reader.Skip();
            else parser.ReadMessage(ref reader, type);
        }

        if (!hasValue && type.WellKnown != WellKnown.None)
            JsonFault.Throw($"is a google.protobuf.Any with '{type.Message.FullName}' without 'value'; allowed is one");
    }
}
