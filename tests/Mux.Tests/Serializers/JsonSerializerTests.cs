using System.Text;
using Mux.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tests.Serializers;

/// <summary>What is particular to JSON.</summary>
public sealed class JsonSerializerTests
{
    [Fact]
    public void Messages_may_be_written_while_one_is()
    {
        var layers = new Layered(1, new Layered(2, new Layered(3, null)));
        for (int round = 0; round < 3; round++) Assert.Equal(layers, JsonSerializer<LayeredContext>.Read<Layered>(LayeredConverter.Write(layers)));
    }

    [Fact]
    public void What_failed_leaves_nothing_in_the_next_message()
    {
        Assert.Throws<InvalidOperationException>(() => LayeredConverter.Write(new Layered(1, new Layered(-1, null))));
        Assert.Equal("\"1|\"", Encoding.UTF8.GetString(LayeredConverter.Write(new Layered(1, null))));
    }

    [Fact]
    public void A_value_is_written_and_read_without_an_object()
    {
        var overflow = new MessageBuffer();
        var room = new byte[1000];
        long least = long.MaxValue;
        for (int round = 0; round < 50; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
            {
                var writer = new MessageWriter(room, overflow);
                JsonSerializer<LayeredContext>.Write(ref writer, new Dimensions(i, i));
                if (JsonSerializer<LayeredContext>.Read<Dimensions>(writer.Written) != new Dimensions(i, i)) throw new InvalidOperationException("Another value came back.");
            }

            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{least / 100.0} bytes per message written and read.");
        Assert.InRange(least, 0, 100 * ReaderBytes);
    }

    [Fact]
    public void A_context_that_reads_deeper_than_messages_may_be_is_refused()
    {
        var error = Assert.Throws<NotSupportedException>(JsonSerializer<DeepContext>.Prepare<Dimensions>);
        Assert.Contains("The MaxDepth of Mux.Tests.Serializers.DeepContext is 65: expected at most 64.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_abstract_class_fails_its_message_and_is_named()
    {
        var error = Assert.Throws<InvalidMessageException>(() => JsonSerializer<AbstractContext>.Read<AbstractShape>("{}"u8));
        Assert.Contains("does not support a type in Mux.Tests.Serializers.AbstractShape", error.Message, StringComparison.Ordinal);
        Assert.IsType<NotSupportedException>(error.InnerException);
    }

    /// <summary>What System.Text.Json itself makes to read a value by its constructor.</summary>
    private const int ReaderBytes = 400;
}
