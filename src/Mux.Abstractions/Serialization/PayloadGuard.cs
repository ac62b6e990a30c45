using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Mux.Serialization;

/// <summary>
/// Stands between generated code and a serializer that a contract names: refuses null, and says of whatever the serializer throws which message it was about.
/// So a call fails in the same way whoever serializes.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class PayloadGuard
{
    /// <summary>Finds out whether values of a type can be sent.</summary>
    /// <param name="payload">For the texts of errors: method, type and format, as in <c>IOrders.Place(cart), Cart as json</c>.</param>
    /// <exception cref="InvalidOperationException">They cannot.</exception>
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
    /// <param name="writer">Where to.</param>
    /// <param name="value">What is to be sent.</param>
    /// <param name="payload">As in <see cref="Prepare"/>.</param>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="InvalidMessageException">The serializer threw.</exception>
    public static void Write<TSerializer, T>(ref MessageWriter writer, T? value, string payload)
        where TSerializer : IPayloadSerializer
    {
        if (value is null) ThrowNull(payload);
        try
        {
            TSerializer.Write(ref writer, value);
        }
        catch (Exception error)
        {
            throw new InvalidMessageException($"{payload}: {error.Message}", error);
        }
    }

    /// <summary>Reads a value.</summary>
    /// <param name="body">The whole message.</param>
    /// <param name="payload">As in <see cref="Prepare"/>.</param>
    /// <exception cref="InvalidMessageException">The serializer threw, or read null.</exception>
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
        catch (Exception error)
        {
            // The peer is told this text. What user code throws while an object is filled may say more than it should know.
            throw new InvalidMessageException($"{payload}: the {body.Length} bytes could not be read.", error);
        }

        if (value is null) throw new InvalidMessageException($"{payload}: null came; a message is never null.");
        return value;
    }

    [DoesNotReturn, MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowNull(string payload) => throw new ArgumentNullException(paramName: null, $"{payload}: null cannot be sent.");
}
