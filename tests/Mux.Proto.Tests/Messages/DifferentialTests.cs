using Google.Protobuf;
using Mux.TestSupport.Connections;

namespace Mux.Proto.Tests.Messages;

/// <summary>Messages of .proto files mean to Mux what they mean to Google's library.</summary>
public sealed class DifferentialTests
{
    private const int Messages = 40;

    public static TheoryData<Echo> All => Echo.All;

    public static TheoryData<Echo> Plain => [.. Echo.All.Select(static row => row.Data).Where(static echo => echo.Descriptor.File.Package != "tests.known")];

    [Theory]
    [MemberData(nameof(All))]
    public void What_Google_wrote_is_read_and_written_again_with_the_same_meaning(Echo echo) => Seeds.ForEach(Messages, seed =>
    {
        var bytes = new RandomMessages(new Random(seed)).Next(echo.Descriptor).ToByteArray();
        AssertEqual(echo.Parse(bytes), echo.Parse(echo.Rewrite(bytes)));
    });

    /// <summary>What comes back is the same also if both directions are wrong alike, such as without ZigZag.</summary>
    [Theory]
    [MemberData(nameof(All))]
    public void Members_have_the_values_that_Google_wrote(Echo echo) => Seeds.ForEach(Messages, seed =>
    {
        var message = echo.Parse(new RandomMessages(new Random(seed)).Next(echo.Descriptor).ToByteArray());
        Assert.Equal(MessageText.Of(message), ObjectText.Of(echo.Codec.Decode(message.ToByteArray())));
    });

    [Theory]
    [MemberData(nameof(All))]
    public void What_Mux_wrote_is_read_and_written_again_by_Google_with_the_same_meaning(Echo echo) => Seeds.ForEach(Messages, seed =>
    {
        var made = new RandomObjects(new Random(seed)).Next(echo.Codec.Type, echo.Descriptor);
        var bytes = echo.Codec.Encode(made);
        Assert.Equal(ObjectText.Of(made), ObjectText.Of(echo.Codec.Decode(bytes)));
        Assert.Equal(ObjectText.Of(made), ObjectText.Of(echo.Codec.Decode(echo.Parse(bytes).ToByteArray())));
    });

    /// <summary>Not so the messages for which C# has a type, such as a Timestamp: the last is what counts.</summary>
    [Theory]
    [MemberData(nameof(Plain))]
    public void Messages_in_a_row_are_merged_as_by_Google(Echo echo) => Seeds.ForEach(Messages, seed =>
    {
        var messages = new RandomMessages(new Random(seed));
        byte[] row = [.. messages.Next(echo.Descriptor).ToByteArray(), .. messages.Next(echo.Descriptor).ToByteArray()];
        AssertEqual(echo.Parse(row), echo.Parse(echo.Rewrite(row)));
    });

    [Theory]
    [MemberData(nameof(All))]
    public void Fields_that_the_file_does_not_have_survive(Echo echo) => Seeds.ForEach(Messages / 4, seed =>
    {
        byte[] bytes = [.. UnknownFields.Some, .. new RandomMessages(new Random(seed)).Next(echo.Descriptor).ToByteArray(), .. UnknownFields.Some];
        var rewritten = echo.Rewrite(bytes);
        AssertEqual(echo.Parse(bytes), echo.Parse(rewritten));
        Assert.Contains(Convert.ToHexString([.. UnknownFields.Some, .. UnknownFields.Some]), Convert.ToHexString(rewritten), StringComparison.Ordinal);
    });

    [Theory]
    [MemberData(nameof(All))]
    public void Of_a_oneof_the_last_on_the_wire_wins(Echo echo)
    {
        var values = new RandomMessages(new Random(5));
        foreach (var oneof in echo.Descriptor.Oneofs.Where(static oneof => !oneof.IsSynthetic))
        {
            foreach (var (first, last) in from first in oneof.Fields from last in oneof.Fields where first != last select (first, last))
            {
                byte[] row = [.. Only(first), .. Only(last)];
                AssertEqual(echo.Parse(row), echo.Parse(echo.Rewrite(row)));
                Assert.Equal(last, oneof.Accessor.GetCaseFieldDescriptor(echo.Parse(echo.Rewrite(row))));
            }
        }

        byte[] Only(global::Google.Protobuf.Reflection.FieldDescriptor field)
        {
            var message = (IMessage)Activator.CreateInstance(echo.Descriptor.ClrType)!;
            foreach (var required in echo.Descriptor.Fields.InDeclarationOrder().Where(static other => other.IsRequired)) values.Fill(message, required, depth: 1);
            values.Fill(message, field, depth: 1);
            return message.ToByteArray();
        }
    }

    private static void AssertEqual(IMessage expected, IMessage actual)
    {
        if (!expected.Equals(actual)) Assert.Equal(Convert.ToHexString(expected.ToByteArray()), Convert.ToHexString(actual.ToByteArray()));
    }
}
