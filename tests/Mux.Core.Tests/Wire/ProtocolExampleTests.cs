using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Mux.Callbacks;
using Mux.Contracts;
using Mux.Identity;
using Mux.Serialization;
using Mux.Server;

namespace Mux.Core.Tests.Wire;

/// <summary>The bytes that PROTOCOL.md shows to the author of a peer are those that this implementation sends.</summary>
public sealed partial class ProtocolExampleTests
{
    private static readonly string s_text = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Wire", "PROTOCOL.md")).ReplaceLineEndings("\n");

    [Fact]
    public void The_connection_in_bytes_is_that_of_the_vectors() => Assert.Equal(HexFile.Read("employee-call.hex"), BytesOf(BlockAfter("**A connection in bytes**")));

    [Fact]
    public void The_further_calls_in_bytes_are_those_of_the_vectors() => Assert.Equal(HexFile.Read("stream-call.hex"), BytesOf(BlockAfter("### 6.5 Calls in bytes")));

    [Fact]
    public void The_failure_with_everything_is_that_of_the_vectors() => Assert.Equal(HexFile.Read("fail.hex", "metadata and detail"), BytesOf(BlockAfter("A FAIL with all parts")));

    [Fact]
    public void The_macs_of_a_login_are_those_of_the_shared_key()
    {
        var lines = BlockAfter("Both macs of one login without TLS:").Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var (secret, challenge, claim, mac, proof) = (Line("key"), Line("nonce"), Line("claim"), Line("mac"), Line("proof"));
        var key = new SharedKey("orders-1", secret);

        var token = SharedKeyProof.Make(key, claim.AsSpan()[^SharedKeyProof.NonceLength..], challenge, default);

        Assert.Equal([.. claim, .. mac], token);
        Assert.Equal(proof, SharedKeyProof.MakeAnswer(key, token, challenge, default));

        byte[] Line(string name) => BytesOf(lines.Single(line => line.StartsWith($" {name} ", StringComparison.Ordinal) || line.StartsWith($" {name},", StringComparison.Ordinal))[25..]);
    }

    [Fact]
    public void Every_status_has_its_number() => Assert.All(Enum.GetValues<MuxStatus>().Where(status => status != MuxStatus.Ok), status =>
        Assert.Contains($"| {(int)status} {status} |", s_text, StringComparison.Ordinal));

    [Fact]
    public void The_items_of_callbacks_are_what_the_codecs_write()
    {
        var messages = new CallbackMessageCodec("test", new CallbackShape<MuxUnit, MuxUnit>("test", new EmptyCodec("test"), static (_, _, _, _, _) => default));
        var answers = new CallbackAnswerCodec("test");
        byte[][] expected =
        [
            Encode(messages, new CallbackMessage { Method = "Report", Body = new byte[] { 0x08, 50 } }),
            Encode(messages, new CallbackMessage { Id = 64, Method = "Ask", Body = "\n\u0003Go?"u8.ToArray() }),
            Encode(answers, new CallbackAnswer { Id = 64, Body = new byte[] { 0x08, 1 } }),
            Encode(messages, new CallbackMessage { Id = 128, Method = "Ask", Body = "\n\u0003On?"u8.ToArray() }),
            Encode(messages, new CallbackMessage { Id = 128, IsCancel = true }),
            Encode(answers, new CallbackAnswer { Id = 128, Status = MuxStatus.Cancelled, Text = "over" }),
            Encode(messages, new CallbackMessage { IsResult = true, Body = new byte[] { 0x08, 42 } }),
        ];
        Assert.Equal(expected, BlockAfter("The items of a call of `Import").Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => BytesOf(line[17..])));
        Assert.Equal(expected[4], Encode(messages, messages.Decode(expected[4])));
        Assert.Equal(expected[5], Encode(answers, answers.Decode(expected[5])));

        static byte[] Encode<T>(MessageCodec<T> codec, T message)
        {
            var writer = new MessageBuffer().CreateWriter();
            codec.Encode(ref writer, message);
            return writer.Written.ToArray();
        }
    }

    /// <summary>The first block of bytes or text behind a place.</summary>
    private static string BlockAfter(string place)
    {
        const string Fence = "```\n";
        int begin = s_text.IndexOf(Fence, s_text.IndexOf(place, StringComparison.Ordinal), StringComparison.Ordinal) + Fence.Length;
        return s_text[begin..s_text.IndexOf(Fence, begin, StringComparison.Ordinal)];
    }

    private static byte[] BytesOf(string text) => [.. Bytes().Matches(Comment().Replace(text, "")).SelectMany(match => match.Groups[1].Success ? Encoding.UTF8.GetBytes(match.Groups[1].Value) : [byte.Parse(match.Value, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture)])];

    [GeneratedRegex("#.*")]
    private static partial Regex Comment();

    [GeneratedRegex("\"([^\"]*)\"|\\b[0-9A-F]{2}\\b")]
    private static partial Regex Bytes();
}
