using System.Diagnostics.CodeAnalysis;

namespace Mux.Serialization;

/// <summary>
/// Turns what travels into bytes and back, where a contract names it: <c>[MuxService("shop.Orders", Serializer = typeof(...))]</c>, or the same at a method.
/// Requests, replies, items of streams and details of failures go through it; nothing, and streams of bytes, do not.
/// </summary>
/// <remarks>
/// <para>The implementer marks the type with <see cref="PayloadFormatAttribute"/> and writes and reads whole messages, each by itself. Its members are called
/// concurrently, from any thread, and again from inside themselves where a message runs user code that makes calls. Reading may be called on the thread that
/// receives, with bytes that somebody made up: it takes memory in proportion to the bytes present, recurses 64 messages deep at most, and throws for what it
/// does not take.</para>
/// <para>Mux promises that no value is null, that a type was prepared before its first value, and that whatever is thrown fails the one call it belongs to.
/// Values that are read as null are refused.</para>
/// </remarks>
public interface IPayloadSerializer
{
    /// <summary>Writes a value: all of the message, and nothing else.</summary>
    /// <typeparam name="T">As the contract declares it: the argument, result, item or detail.</typeparam>
    /// <param name="writer">Grows as it is asked for memory, and belongs to the caller. The message is all that was written to it; what was written before this
    /// call, if anything, stays.</param>
    /// <param name="value">Never null. It stays the user's, unless the serializer says that sending gives it away.</param>
    /// <exception cref="Exception">Whatever is thrown fails the call before anything of the message is sent. Who sends finds it as the inner exception of an
    /// <see cref="InvalidMessageException"/>
    /// that names method, type and format.</exception>
    static abstract void Write<T>(ref MessageWriter writer, T value);

    /// <summary>Reads a value from all of the bytes: what is behind a message makes it a bad one.</summary>
    /// <typeparam name="T">As the contract declares it: the argument, result, item or detail.</typeparam>
    /// <param name="body">One whole message, which may be empty. Valid only until this returns: whatever is kept of it must be copied.</param>
    /// <returns>Not null: null is refused, as bad bytes are. It belongs to the user.</returns>
    /// <exception cref="InvalidMessageException">The bytes are no such message; the text, which the peer is told, says where. The text of any other exception
    /// is kept from the peer.</exception>
    static abstract T Read<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(ReadOnlySpan<byte> body);

    /// <summary>
    /// Called when a server is given a service and when a proxy is made, once or more for each type, so that a type that cannot be sent is told then. May do
    /// what the first message would otherwise wait for. Does nothing by default.
    /// </summary>
    /// <typeparam name="T">As the contract declares it: the argument, result, item or detail.</typeparam>
    /// <exception cref="NotSupportedException">Values of this type cannot be sent; the text says why. Whoever adds the service or makes the proxy gets an
    /// <see cref="InvalidOperationException"/> with it.</exception>
    static virtual void Prepare<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>()
    {
    }
}
