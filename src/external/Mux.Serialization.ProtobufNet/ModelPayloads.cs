using ProtoBuf;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet;

/// <summary>Writes and reads by any model of protobuf-net.</summary>
internal static class ModelPayloads
{
    /// <summary>How many messages and groups may stand inside one another, the outermost included.</summary>
    public const int MaxDepth = MessageReader.MaxDepth;

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

    // As a stream, because the library reads a text from memory into one buffer, of whatever length the text has said, where that length itself runs over the
    // end of a message: eleven bytes make it take hundreds of megabytes. From a stream it reads long texts piece by piece, and the length tells it what there
    // is.
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

    /// <exception cref="NotSupportedException">The model does not take the type.</exception>
    public static void Check<T>(TypeModel model)
    {
        if (!model.CanSerialize(typeof(T))) throw new NotSupportedException($"{model.GetType()} does not know {typeof(T)}.");
    }
}
