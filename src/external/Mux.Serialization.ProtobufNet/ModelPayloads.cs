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

    public static T Read<T>(TypeModel model, ReadOnlySpan<byte> body)
    {
        try
        {
            return model.Deserialize<T>(body);
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
