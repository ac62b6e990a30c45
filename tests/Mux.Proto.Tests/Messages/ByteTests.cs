using Google.Protobuf;
using Mux.TestSupport.Connections;

namespace Mux.Proto.Tests.Messages;

/// <summary>
/// Imported messages have the bytes that Google's library writes. Maps of both keep the order in which their entries came, so they are compared as they are.
/// </summary>
public sealed class ByteTests
{
    // Of each type; .ci/long asks for ten times as many.
    private static readonly int s_messages = (int)(Seeds.Number("MUX_PROTO_MESSAGES") ?? 400);

    [Theory]
    [MemberData(nameof(Echo.All), MemberType = typeof(Echo))]
    public void What_Google_wrote_is_written_again_with_the_same_bytes(Echo echo) => Seeds.ForEach(s_messages, seed =>
    {
        var bytes = new RandomMessages(new Random(seed)).Next(echo.Descriptor).ToByteArray();
        Assert.Equal(Convert.ToHexString(bytes), Convert.ToHexString(echo.Rewrite(bytes)));
    });

    [Theory]
    [MemberData(nameof(Echo.All), MemberType = typeof(Echo))]
    public void What_Mux_wrote_is_written_again_by_Google_with_the_same_bytes(Echo echo) => Seeds.ForEach(s_messages, seed =>
    {
        var bytes = echo.Codec.Encode(new RandomObjects(new Random(seed)).Next(echo.Codec.Type, echo.Descriptor));
        Assert.Equal(Convert.ToHexString(echo.Parse(bytes).ToByteArray()), Convert.ToHexString(bytes));
    });

    [Theory]
    [MemberData(nameof(Echo.All), MemberType = typeof(Echo))]
    public void A_new_message_has_the_bytes_that_Google_writes(Echo echo)
    {
        var bytes = echo.Codec.Encode(Activator.CreateInstance(echo.Codec.Type)!);
        // Required fields are always written, also those that have no value yet.
        if (echo.Descriptor.Fields.InDeclarationOrder().Any(RandomMessages.IsNeeded)) Assert.NotEmpty(bytes);
        else Assert.Empty(bytes);
    }
}
