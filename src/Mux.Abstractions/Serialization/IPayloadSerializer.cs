using System.Diagnostics.CodeAnalysis;

namespace Mux.Serialization;

/// <summary>
/// Converts messages to bytes and back. A contract names the serializer of its messages: <c>[MuxService("shop.Orders", Serializer = typeof(...))]</c>. A method
/// can name its own with <c>[MuxMethod(Serializer = typeof(...))]</c>. It handles requests, replies, items of streams and details of failures, but not empty
/// messages and byte streams.
/// </summary>
/// <remarks>
/// <para>The implementation has a <see cref="PayloadFormatAttribute"/> and writes and reads whole messages, each independently. Its members are called
/// concurrently, on any thread, and recursively if a message runs user code that makes calls.</para>
/// <para>Reading may run on the thread that receives, and the bytes may come from an attacker. A serializer must use memory in proportion to the bytes present,
/// recurse at most <see cref="MaxDepth"/> messages deep, and throw for bytes that it does not accept.</para>
/// <para>Mux promises that no value is null, that a type is prepared before its first value, and that an exception fails only the call to which it belongs. Mux
/// rejects values that are read as null.</para>
/// </remarks>
public interface IPayloadSerializer
{
    /// <summary>Maximum nesting of messages, including the outermost one: 64. It bounds the stack that a received message uses.</summary>
    const int MaxDepth = 64;

    /// <summary>Writes a value: the whole message, and nothing else.</summary>
    /// <typeparam name="T">The type in the contract: of the argument, result, item or detail.</typeparam>
    /// <param name="writer">The destination, which grows as needed and belongs to the caller. The bytes that this call writes are the message; earlier bytes
    /// stay unchanged.</param>
    /// <param name="value">The value, never null. The sender may use it afterwards, unless the serializer documents that it takes the value over.</param>
    /// <exception cref="Exception">The value cannot be written. The call fails before any byte of the message is sent. The sender gets an
    /// <see cref="InvalidMessageException"/> that names the method, type and format, with this exception as inner exception.</exception>
    static abstract void Write<T>(ref MessageWriter writer, T value);

    /// <summary>Reads a value from all of the bytes. Must throw if bytes are left after the message.</summary>
    /// <typeparam name="T">The type in the contract: of the argument, result, item or detail.</typeparam>
    /// <param name="body">One whole message, which may be empty. Valid only during the call: copy the bytes that the value keeps.</param>
    /// <returns>The value, which belongs to the user. Null is rejected, like invalid bytes.</returns>
    /// <exception cref="InvalidMessageException">The bytes are not such a message; the exception's message, which the peer gets, says where. The peer does not
    /// get the messages of other exceptions.</exception>
    static abstract T Read<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(ReadOnlySpan<byte> body);

    /// <summary>
    /// Prepares a type. Called one or more times for each type when a service is added to a server and when a proxy is created, so that an unsupported type is
    /// reported early. The method may do work that would otherwise delay the first message. Does nothing by default.
    /// </summary>
    /// <typeparam name="T">The type in the contract: of the argument, result, item or detail.</typeparam>
    /// <exception cref="NotSupportedException">Values of this type cannot be sent; the message says why. The code that adds the service or creates the proxy
    /// gets an <see cref="InvalidOperationException"/> with this message.</exception>
    static virtual void Prepare<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>()
    {
    }
}
