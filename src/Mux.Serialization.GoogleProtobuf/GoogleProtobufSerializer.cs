using System.Diagnostics.CodeAnalysis;
using Google.Protobuf;

namespace Mux.Serialization.GoogleProtobuf;

/// <summary>
/// Sends messages of Google.Protobuf, which protoc generates from .proto files. A contract names it as <c>Serializer = typeof(GoogleProtobufSerializer)</c>.
/// </summary>
/// <remarks>
/// <para>Messages are written directly into outgoing memory and read directly from incoming memory. Unknown fields are kept, as the library does; extensions
/// are unknown fields.</para>
/// <para>Some messages are rejected although the library would read them: messages and groups nested more than 64 deep (the library allows 100), and bytes with
/// errors that the library ignores, such as a length beyond the message. A message is also rejected before its objects are created if they would take more than
/// 64 times its bytes and 4 MiB, or if its integer keys were chosen to collide.</para>
/// <para>The format is protobuf: the other side may declare the same message for the codec of Mux.</para>
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
        message.WriteTo(writer.GetSpan(size)[..size]); // throws if the size of the message has changed meanwhile
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
        if (!typeof(T).IsAssignableTo(typeof(IMessage))) throw new NotSupportedException($"{typeof(T)} is not a message of Google.Protobuf.");
        if (typeof(T).IsAbstract) throw new NotSupportedException($"{typeof(T)} is abstract, so no message of it can be created.");
        _ = MessageShape.OfType<T>.Shape;
    }
}
