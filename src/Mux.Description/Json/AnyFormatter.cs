using System.Text;
using System.Text.Unicode;

namespace Mux.Description.Json;

/// <summary>Writes a message of any type: its fields beside the address of its type, or its own form as <c>value</c>.</summary>
internal static class AnyFormatter
{
    public static void Write(MessageFormatter to, ReadOnlySpan<byte> bytes)
    {
        var address = default(ReadOnlySpan<byte>);
        var value = default(ReadOnlySpan<byte>);
        var scan = new WireScan(bytes);
        uint tag;
        while ((tag = scan.ReadTag()) != 0)
        {
            if (tag == ((1 << 3) | 2)) address = scan.ReadBlock(tag);
            else if (tag == ((2 << 3) | 2)) value = scan.ReadBlock(tag);
            else scan.Skip(tag);
        }

        to.Json.WriteStartObject();
        if (!address.IsEmpty || !value.IsEmpty)
        {
            if (!Utf8.IsValid(address)) JsonFault.Throw("has a type_url that is not UTF-8");
            var type = Find(to.AnyTypes, Encoding.UTF8.GetString(address));
            to.Json.WriteString("@type"u8, address);
            if (type.WellKnown == WellKnown.None && type.Message.FullName != "google.protobuf.Empty") to.WriteFields(type, value);
            else
            {
                to.Json.WritePropertyName("value"u8);
                to.WriteMessage(type, value);
            }
        }

        to.Json.WriteEndObject();
    }

    /// <summary>Finds the type of an address: what follows the last slash.</summary>
    public static JsonType Find(ContractSet? types, string address)
    {
        int slash = address.LastIndexOf('/');
        if (slash < 0)
            JsonFault.Throw($"is a google.protobuf.Any with the type {Shown(address)}; allowed are addresses such as 'type.googleapis.com/package.Name'");
        if (types?.FindMessage(address[(slash + 1)..]) is { } type) return type.Json;
        JsonFault.Throw($"is a google.protobuf.Any with the type {Shown(address)}, which is not among the given types");
        return null;
    }

    private static string Shown(string address) => Reading.DescriptionFault.Quote(address);
}
