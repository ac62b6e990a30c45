using System.Text;

namespace Mux.TestSupport.Serializers;

/// <summary>Bytes that are no specimen in JSON.</summary>
public static class HostileJson
{
    public static IReadOnlyDictionary<string, byte[]> All { get; } = new Dictionary<string, byte[]>
    {
        ["nothing"] = [],
        ["blanks"] = Bytes("  \n"),
        ["null"] = Bytes("null"),
        ["another kind of value"] = Bytes("[1]"),
        ["an object without its end"] = Bytes("{\"Number\":1"),
        ["a text without its end"] = Bytes("{\"Text\":\"" + new string('x', 10_000)),
        ["a number that is none"] = Bytes("{\"Number\":01}"),
        ["a number out of range"] = Bytes("{\"Number\":1" + new string('0', 1000) + "}"),
        ["a number for a text"] = Bytes("{\"Text\":1}"),
        ["half a character"] = Bytes("{\"Text\":\"\\ud800\"}"),
        ["bytes that are no UTF-8"] = [.. Bytes("{\"Text\":\""), 0xff, 0xfe, .. Bytes("\"}")],
        ["bytes that are no Base64"] = Bytes("{\"Bytes\":\"###\"}"),
        ["a mark in front"] = [0xef, 0xbb, 0xbf, .. Bytes("{}")],
        ["a comment"] = Bytes("/* */{}"),
        ["a comma too many"] = Bytes("{\"Number\":1,}"),
        ["two objects"] = Bytes("{}{}"),
        ["something behind"] = Bytes("{} x"),
        ["a zero behind"] = [.. Bytes("{}"), 0],
        ["protobuf"] = [0x08, 0x01, 0x22, 0x01, 0x61],
        ["deeper than messages may be"] = Nested(Specimens.MaxDepth + 1),
        ["an unknown member that is deeper"] = Bytes("{\"Unknown\":" + new string('[', Specimens.MaxDepth) + new string(']', Specimens.MaxDepth) + "}"),
        ["a million arrays that begin"] = Bytes(new string('[', 1_000_000)),
        ["400,000 objects that begin"] = Bytes(string.Concat(Enumerable.Repeat("{\"Inner\":", 400_000))),
    };

    /// <summary>So many objects in one another.</summary>
    public static byte[] Nested(int depth) => Bytes(string.Concat(Enumerable.Repeat("{\"Inner\":", depth - 1)) + "{}" + new string('}', depth - 1));

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);
}
