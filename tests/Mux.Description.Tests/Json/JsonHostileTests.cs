using System.Buffers;
using System.Text;
using Google.Protobuf;
using Mux.Description.Proto.Descriptors;

namespace Mux.Description.Tests.Json;

/// <summary>Bytes and texts that are wrong, too large, or meant to harm.</summary>
public sealed class JsonHostileTests
{
    [Theory]
    [InlineData("""{"children":[{},{"anInt32":2147483648}]}""", "$.children[1].anInt32 is '2147483648'; allowed are whole numbers from -2147483648 to 2147483647")]
    [InlineData("""{"byName":{"a":{"anInt64":"9223372036854775808"}}}""", "$.byName['a'].anInt64 is '9223372036854775808'; allowed are whole numbers from -9223372036854775808")]
    [InlineData("""{"aUint32":-1}""", "$.aUint32 is '-1'; allowed are whole numbers from 0 to 4294967295")]
    [InlineData("""{"aUint64":1.5}""", "$.aUint64 is '1.5'; allowed are whole numbers from 0 to 18446744073709551615")]
    [InlineData("""{"anInt32":1e-30}""", "$.anInt32 is '1e-30'; allowed are whole numbers")]
    [InlineData("""{"anInt32":" 1"}""", "$.anInt32 is ' 1'; allowed are whole numbers")]
    [InlineData("""{"aFloat":1e39}""", "$.aFloat is '1e39'; allowed are numbers of 32 bits")]
    [InlineData("""{"aDouble":1e999}""", "$.aDouble is '1e999'; allowed are numbers of 64 bits")]
    [InlineData("""{"aBool":"true"}""", "$.aBool is a text; allowed are true and false")]
    [InlineData("""{"aString":7}""", "$.aString is a number; allowed are texts")]
    [InlineData("""{"aString":"\ud83d"}""", "$.aString has a text that is not UTF-8, or half of a surrogate pair")]
    [InlineData("""{"someBytes":"a*b"}""", "$.someBytes is another text; allowed is base64")]
    [InlineData("""{"someBytes":"abcde"}""", "$.someBytes is another text; allowed is base64")]
    [InlineData("""{"tone":"TONE_SHRILL"}""", "$.tone is 'TONE_SHRILL'; allowed are names of the enum and their numbers")]
    [InlineData("""{"child":{"chldren":[]}}""", "$.child has the name 'chldren'; allowed are the fields of 'test.json.Everything'")]
    [InlineData("""{"anInt32":1,"an_int32":1}""", "$.anInt32 is there twice; allowed is once")]
    [InlineData("""{"chosenNumber":1,"chosenText":""}""", "$.chosenText is beside another field of the oneof 'choice'; allowed is one of them")]
    [InlineData("""{"byInt32":{"1":"a","1.0":"b"}}""", "$.byInt32 has the key of entry 0 twice; allowed is once")]
    [InlineData("""{"byBool":{"1":"TONE_LOW"}}""", "$.byBool['1'] has another key than allowed; allowed are 'true' and 'false'")]
    [InlineData("""{"strings":["a",null]}""", "$.strings[1] is null; allowed are values")]
    [InlineData("""{"strings":"a"}""", "$.strings is a text; allowed is a list")]
    [InlineData("""{"at":"2026-02-30T00:00:00Z"}""", "$.at is '2026-02-30T00:00:00Z'; allowed are timestamps")]
    [InlineData("""{"lasting":"315576000001s"}""", "$.lasting is '315576000001s'; allowed are durations")]
    [InlineData("""{"mask":"a_b"}""", "$.mask is a field mask with the path 'a_b'; allowed are letters")]
    [InlineData("""{"any":{"value":1}}""", "$.any is a google.protobuf.Any without '@type'; allowed is one")]
    [InlineData("""{"any":{"@type":"x/a.B"}}""", "$.any is a google.protobuf.Any with the type 'x/a.B', which is not among the given types")]
    [InlineData("""{"child":{"aBool":true} x""", "$ is followed by bad JSON in line 1, byte ")]
    [InlineData("{} {}", "$ is followed by bad JSON in line 1, byte ")]
    [InlineData("", "$ is followed by bad JSON in line 1, byte ")]
    [InlineData("null", "$ is null; allowed is an object")]
    public void Wrong_JSON_is_refused_with_its_path(string json, string problem)
    {
        var message = Assert.Throws<InvalidDataException>(() => JsonScene.Everything.Read(json)).Message;
        Assert.Contains(problem, message, StringComparison.Ordinal);
    }

    [Fact]
    public void Bytes_that_are_no_message_are_refused_with_their_path()
    {
        AssertRefused([0x8A, 0x01, 0x02, 0x18], "$ has a value of 2 bytes at byte 3, but 1 bytes are left");
        AssertRefused([0x8A, 0x01, 0x01, 0x18], "$.child has a number at byte 1 that is cut");
        AssertRefused([0x72, 0x01, 0xFF], "$.aString is not UTF-8");
        AssertRefused([0xBB, 0x3E, 0x08, 0x01], "$ has a group in field 999 that has no end");
        AssertRefused(new Everything { Children = { new Everything(), new Everything { At = new() { Nanos = -1 } } } }.ToByteArray(), "$.children[1].at is a timestamp of 0 seconds and -1");
    }

    [Fact]
    public void Messages_are_64_deep_and_not_more()
    {
        var message = new Everything();
        for (int i = 1; i < 64; i++) message = new Everything { Children = { message } };
        var json = JsonScene.Everything.Write(message.ToByteArray());
        Assert.Equal(message, Everything.Parser.ParseFrom(JsonScene.Everything.Read(json)));
        AssertRefused(new Everything { Child = message }.ToByteArray(), "is nested deeper than allowed; allowed are 64 messages in each other");
        Assert.Throws<InvalidDataException>(() => JsonScene.Everything.Read($$"""{"child":{{json}}}"""));
        Assert.Throws<InvalidDataException>(() => JsonScene.Everything.Read(string.Concat(Enumerable.Repeat("""{"list":[""", 100_000))));
    }

    [Fact]
    public void Depth_is_named_only_where_it_is_the_reason()
    {
        Assert.Contains("$ is followed by bad JSON in line 1, byte 15.", Refusal("""{"list":[[1]] x}"""), StringComparison.Ordinal);
        Assert.Contains("that is more than 128 deep in line 1, byte ", Refusal("""{"other":""" + new string('[', 200)), StringComparison.Ordinal);

        static string Refusal(string json) => Assert.Throws<InvalidDataException>(
            () => JsonScene.Of("test.json.Everything", new MessageJsonOptions { IgnoreUnknown = true }).Read(json)).Message;
    }

    [Fact]
    public void Sizes_beyond_the_limits_are_refused()
    {
        var json = JsonScene.Of("test.json.Everything", new MessageJsonOptions { MaxMessageBytes = 100, MaxJsonBytes = 200, WriteDefaults = true });
        AssertRefused(json, new byte[101], "$ has 101 bytes; allowed are 100");
        AssertRefused(json, new Everything { Children = { new Everything() } }.ToByteArray(), "makes the JSON larger than allowed; allowed are 200 bytes");
        Assert.Contains("has 201 bytes; allowed are 200", Assert.Throws<InvalidDataException>(() => json.Read(new string(' ', 201))).Message, StringComparison.Ordinal);
        var text = $$"""{"aString":"{{new string('x', 101)}}"}""";
        Assert.Contains("larger than allowed; allowed are 100 bytes", Assert.Throws<InvalidDataException>(() => json.Read(text)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Parts_to_merge_have_the_limit_of_the_message_with_those_around_them()
    {
        var json = JsonScene.Of("test.json.Everything", new MessageJsonOptions { MaxMessageBytes = 1_000 });
        var twice = InTwoParts(InTwoParts(new Everything { AString = new string('x', 450) }.ToByteArray()));
        _ = json.Write(twice); // merges 450 bytes in 450 bytes
        _ = json.Write(new WireWriter().Bytes(Everything.ChildrenFieldNumber, twice).Bytes(Everything.ChildrenFieldNumber, twice).ToArray());
        AssertRefused(json, InTwoParts(twice), "has parts to merge, in each other, of more than 1000 bytes");

        static byte[] InTwoParts(byte[] child) => new WireWriter().Bytes(Everything.ChildFieldNumber, child).Bytes(Everything.ChildFieldNumber, []).ToArray();
    }

    [Fact]
    public void Unknown_names_are_skipped_if_asked_for()
    {
        var json = JsonScene.Of("test.json.Everything", new MessageJsonOptions { IgnoreUnknown = true });
        var read = Everything.Parser.ParseFrom(json.Read("""{"x":{"y":[1]},"tone":"T","tones":["T","TONE_LOW"],"byBool":{"true":"T","false":1},"anInt32":3}"""));
        Assert.Equal(new Everything { AnInt32 = 3, Tones = { Tone.Low }, ByBool = { [false] = Tone.High } }, read);
    }

    [Fact]
    public void Changed_bytes_and_texts_are_refused_or_another_message()
    {
        var random = new Random(20261127);
        for (int i = 0; i < 3_000; i++)
        {
            byte[] message = new RandomMessages(new Random(i % 100)).Next().ToByteArray();
            byte[] json = Encoding.UTF8.GetBytes(JsonScene.Everything.Write(message));
            Change(random, message);
            Change(random, json);
            Try(() => JsonScene.Everything.Write(message, new ArrayBufferWriter<byte>()));
            Try(() => JsonScene.Everything.Read(json, new ArrayBufferWriter<byte>()));
        }
    }

    private static void Change(Random random, byte[] bytes)
    {
        for (int j = random.Next(1, 4); j > 0 && bytes.Length > 0; j--) bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
    }

    private static void Try(Action action)
    {
        try
        {
            action();
        }
        catch (InvalidDataException)
        {
            // The only exception there is.
        }
    }

    private static void AssertRefused(byte[] message, string problem) => AssertRefused(JsonScene.Everything, message, problem);

    private static void AssertRefused(MessageJson json, byte[] message, string problem) =>
        Assert.Contains(problem, Assert.Throws<InvalidDataException>(() => json.Write(message)).Message, StringComparison.Ordinal);
}
