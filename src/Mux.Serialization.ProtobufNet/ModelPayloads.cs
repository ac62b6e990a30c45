using ProtoBuf;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet;

/// <summary>Writes and reads messages with any model of protobuf-net.</summary>
internal static class ModelPayloads
{
    /// <summary>Maximum nesting of messages and groups, including the outermost one.</summary>
    public const int MaxDepth = IPayloadSerializer.MaxDepth;

    public static void Write<T>(TypeModel model, ref MessageWriter writer, T value)
    {
        var buffer = PayloadBuffer.Rent();
        try
        {
            model.Serialize(buffer, value);
            buffer.MoveTo(ref writer);
        }
        finally
        {
            buffer.Return();
        }
    }

    // Reads from a stream. From memory, the library allocates one buffer of the length that a text claims, even if that is beyond the end of the message:
    // eleven bytes make it take hundreds of megabytes. From a stream it reads long texts piece by piece, and the length of the stream tells what is present.
    public static unsafe T Read<T>(TypeModel model, ReadOnlySpan<byte> body)
    {
        fixed (byte* start = body)
        {
            using var stream = new UnmanagedMemoryStream(start, body.Length);
            return Read<T>(model, stream);
        }
    }

    private static T Read<T>(TypeModel model, Stream body)
    {
        try
        {
            using var state = ProtoReader.State.Create(body, model, userState: null, body.Length);
            return state.DeserializeRoot<T>();
        }
        catch (Exception error) when (error is ProtoException or EndOfStreamException or OverflowException)
        {
            throw new InvalidMessageException(error.Message, error);
        }
    }

    /// <exception cref="NotSupportedException">The model does not support the type.</exception>
    public static void Check<T>(TypeModel model)
    {
        if (!model.CanSerialize(typeof(T))) throw new NotSupportedException($"{model.GetType()} does not know {typeof(T)}.");
    }
}
