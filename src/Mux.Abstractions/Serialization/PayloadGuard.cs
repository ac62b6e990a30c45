using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Mux.Serialization;

/// <summary>
/// Calls, for generated code, a serializer that a contract names. It rejects null, and adds the name of the message to the serializer's exceptions, so that a
/// call fails in the same way with every serializer.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class PayloadGuard
{
    /// <summary>Checks whether values of a type can be sent.</summary>
    /// <param name="payload">Method, type and format for error messages, as in <c>IOrders.Place(cart), Cart as json</c>.</param>
    /// <exception cref="InvalidOperationException">Values of the type cannot be sent.</exception>
    public static void Prepare<TSerializer, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(string payload)
        where TSerializer : IPayloadSerializer
    {
        try
        {
            TSerializer.Prepare<T>();
        }
        catch (Exception error)
        {
            throw new InvalidOperationException($"{payload}: {error.Message}", error);
        }
    }

    /// <summary>Writes a value.</summary>
    /// <param name="writer">The destination.</param>
    /// <param name="value">The value to send.</param>
    /// <param name="payload">See <see cref="Prepare"/>.</param>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="InvalidMessageException">The serializer threw.</exception>
    /// <exception cref="OutOfMemoryException">The serializer threw it.</exception>
    public static void Write<TSerializer, T>(ref MessageWriter writer, T? value, string payload)
        where TSerializer : IPayloadSerializer
    {
        if (value is null) ThrowNull(payload);
        try
        {
            TSerializer.Write(ref writer, value);
        }
        catch (Exception error) when (!OutOfMemory.Is(error)) // that says nothing about the value
        {
            throw new InvalidMessageException($"{payload}: {error.Message}", error);
        }
    }

    /// <summary>Reads a value.</summary>
    /// <param name="body">The whole message.</param>
    /// <param name="payload">See <see cref="Prepare"/>.</param>
    /// <exception cref="InvalidMessageException">The serializer threw, or read null.</exception>
    /// <exception cref="OutOfMemoryException">The serializer threw it.</exception>
    public static T Read<TSerializer, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(
        ReadOnlySpan<byte> body, string payload)
        where TSerializer : IPayloadSerializer
    {
        T value;
        try
        {
            value = TSerializer.Read<T>(body);
        }
        catch (InvalidMessageException error)
        {
            throw new InvalidMessageException($"{payload}: {error.Message}", error);
        }
        catch (Exception error) when (!OutOfMemory.Is(error)) // that says nothing about the bytes
        {
            // The peer gets this message. Exceptions of user code that fills an object may reveal more than the peer should know.
            throw new InvalidMessageException(
                $"{payload}: the serializer or code of the type threw an exception when it read the {body.Length} bytes.", error);
        }

        if (value is null) throw new InvalidMessageException($"{payload}: null was received, but a message is never null.");
        return value;
    }

    [DoesNotReturn, MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowNull(string payload) => throw new ArgumentNullException(paramName: null, $"{payload}: null cannot be sent.");
}
