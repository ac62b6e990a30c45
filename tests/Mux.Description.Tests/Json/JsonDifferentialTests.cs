using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;
using Google.Protobuf;

namespace Mux.Description.Tests.Json;

/// <summary>
/// The same messages by Google's library. Known differences, which these messages do not have: Google's formatter writes a google.protobuf.Value that is not finite
/// as a text and throws for one without a kind, where both are errors here; it escapes more characters; it reads names twice, of which the last counts; it replaces
/// bytes that are not UTF-8, which are an error here; it refuses the empty name in a google.protobuf.Struct; a negative zero is written here, and not by it.
/// </summary>
public sealed class JsonDifferentialTests
{
    private const int Messages = 240;

    private static readonly JsonFormatter s_formatter = new(JsonFormatter.Settings.Default.WithTypeRegistry(JsonScene.Registry));
    private static readonly JsonParser s_parser = new(JsonParser.Settings.Default.WithTypeRegistry(JsonScene.Registry));

    [Fact]
    public void Messages_are_written_and_read_as_by_Google()
    {
        for (int seed = 0; seed < Messages; seed++)
        {
            var message = new RandomMessages(new Random(seed)).Next();
            var ours = JsonScene.Everything.Write(message.ToByteArray());
            var theirs = s_formatter.Format(message);
            AssertSame(theirs, ours, seed);
            Assert.True(message.Equals(s_parser.Parse<Everything>(ours)), $"Google reads another message, seed {seed}: {ours}");
            AssertSame(theirs, s_formatter.Format(Everything.Parser.ParseFrom(JsonScene.Everything.Read(ours))), seed);
            AssertSame(theirs, s_formatter.Format(Everything.Parser.ParseFrom(JsonScene.Everything.Read(theirs))), seed);
        }
    }

    [Fact]
    public void Defaults_and_field_names_are_written_as_by_Google()
    {
        var settings = JsonFormatter.Settings.Default.WithTypeRegistry(JsonScene.Registry).WithFormatDefaultValues(true).WithPreserveProtoFieldNames(true);
        var options = new MessageJsonOptions { AnyTypes = JsonScene.Set, WriteDefaults = true, UseFieldNames = true, Indented = true };
        var json = JsonScene.Of("test.json.Everything", options);
        for (int seed = 0; seed < Messages / 3; seed++)
        {
            var message = new RandomMessages(new Random(seed)).Next();
            AssertSame(new JsonFormatter(settings).Format(message), json.Write(message.ToByteArray()), seed);
        }
    }

    [Fact]
    public void Messages_in_a_row_are_merged_as_by_Google()
    {
        for (int seed = 0; seed < Messages; seed++)
        {
            var messages = new RandomMessages(new Random(seed));
            byte[] row = [.. messages.Next().ToByteArray(), 0xF8, 0xFF, 0x07, 0x01, .. messages.Next().ToByteArray()];
            var merged = Everything.Parser.ParseFrom(row);
            if (Record.Exception(() => s_formatter.Format(merged)) is InvalidOperationException)
                Assert.Throws<InvalidDataException>(() => JsonScene.Everything.Write(row)); // such as a duration of two signs
            else AssertSame(s_formatter.Format(merged), JsonScene.Everything.Write(row), seed);
        }
    }

    [Fact]
    public void Messages_of_the_older_syntax_are_written_and_read_as_by_Google()
    {
        var part = new Older.Types.Part { Name = "p" };
        var pair = new Older.Types.Pair { First = 0, Second = new Older { Text = "" } };
        var message = new Older { Text = "t", Number = 0, Flag = false, Items = { 0, 1, -1 }, Packed = { 5, 6 }, Pair = pair, Part = { part, new Older.Types.Part() } };
        var json = JsonScene.Of("test.json.Older");
        var ours = json.Write(message.ToByteArray());
        AssertSame(new JsonFormatter(JsonFormatter.Settings.Default).Format(message), ours, 0);
        Assert.Equal(message, Older.Parser.ParseFrom(json.Read(ours)));
    }

    [Fact]
    public void What_is_written_is_read_back() => Prop.ForAll(ArbMap.Default.ArbFor<int>(), static seed =>
    {
        var message = new RandomMessages(new Random(seed)).Next();
        var text = JsonScene.Everything.Write(message.ToByteArray());
        AssertSame(text, JsonScene.Everything.Write(JsonScene.Everything.Read(text)), seed);
    }).QuickCheckThrowOnFailure();

    private static void AssertSame(string expected, string actual, int seed)
    {
        using var first = JsonDocument.Parse(expected);
        using var second = JsonDocument.Parse(actual);
        Assert.True(JsonElement.DeepEquals(first.RootElement, second.RootElement), $"seed {seed}:\n{expected}\n{actual}");
    }
}
