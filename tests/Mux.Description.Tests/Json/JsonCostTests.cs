using System.Buffers;
using System.Text;
using Google.Protobuf;

namespace Mux.Description.Tests.Json;

/// <summary>Once the buffers have grown, nothing is allocated.</summary>
public sealed class JsonCostTests
{
    [Fact]
    public void Writing_and_reading_allocate_nothing()
    {
        var child = new Everything { AString = "Grüße", SomeBytes = ByteString.CopyFromUtf8("bytes"), Tone = Tone.Far, ADouble = 1.5, AnInt64 = -7, At = new() { Seconds = 7 }, Lasting = new() { Nanos = 7 } };
        var message = new Everything { Children = { child, child }, ByName = { ["a"] = child, ["b"] = child }, Uint64S = { 1, 2, 3 }, ChosenText = "\n", Int64Value = 3 };
        byte[] bytes = message.ToByteArray();
        byte[] json = Encoding.UTF8.GetBytes(JsonScene.Everything.Write(bytes));
        var output = new ArrayBufferWriter<byte>(1 << 16);
        long allocated = long.MaxValue;
        for (int i = 0; i < 100 && allocated != 0; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            output.ResetWrittenCount();
            JsonScene.Everything.Write(bytes, output);
            output.ResetWrittenCount();
            JsonScene.Everything.Read(json, output);
            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Assert.Equal(0, allocated);
        Assert.Equal(message, Everything.Parser.ParseFrom(output.WrittenSpan));
    }
}
