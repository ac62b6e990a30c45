using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;

namespace Mux.Serialization.GoogleProtobuf;

/// <summary>
/// Sends messages of Google.Protobuf, which protoc generates from .proto files: what a contract names as <c>Serializer = typeof(GoogleProtobufSerializer)</c>.
/// </summary>
/// <remarks>
/// <para>Messages are written into the outgoing memory and read from the incoming one, without a copy between. Messages and groups may stand in one another 64
/// deep when they are read, where the library takes 100. Unknown fields are kept, as the library does; extensions are unknown fields. A message whose objects
/// would take more than 64 times its bytes and 4 MiB is refused before they are made, and so is one whose integer keys were chosen to collide. What cannot be
/// looked through so, such as a length beyond the message, is refused as well, also where the library would read on.</para>
/// <para>The bytes are protobuf: the other side may declare the same message for the codec of Mux.</para>
/// </remarks>
[PayloadFormat("protobuf", typeof(IMessage))]
public sealed class GoogleProtobufSerializer : IPayloadSerializer
{
    private GoogleProtobufSerializer()
    {
    }

    /// <inheritdoc/>
    public static void Write<T>(ref MessageWriter writer, T value)
    {
        var message = (IMessage)value!;
        int size = message.CalculateSize();
        message.WriteTo(writer.GetSpan(size)[..size]); // throws if the message has changed meanwhile and has another size
        writer.Advance(size);
    }

    /// <inheritdoc/>
    public static T Read<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(ReadOnlySpan<byte> body)
    {
        var message = Activator.CreateInstance<T>();
        PayloadScan.Check(body, MessageShape.OfType<T>.Shape);
        try
        {
            ((IMessage)message!).MergeFrom(body);
        }
        catch (InvalidProtocolBufferException error)
        {
            throw new InvalidMessageException(error.Message, error);
        }

        return message;
    }

    /// <inheritdoc/>
    public static void Prepare<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>()
    {
        if (!typeof(T).IsAssignableTo(typeof(IMessage))) throw new NotSupportedException($"{typeof(T)} is no message of Google.Protobuf.");
        if (typeof(T).IsAbstract) throw new NotSupportedException($"{typeof(T)} is no type of which a message can be made.");
        _ = MessageShape.OfType<T>.Shape;
    }
}
