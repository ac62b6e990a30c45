using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>
/// Members that all methods have: an identity, and the errors that the contract declares with <see cref="MuxErrorAttribute{TDetail}"/>.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IMethod
{
    /// <summary>Gets the method's identity, always the same instance.</summary>
    static abstract MethodDescriptor Descriptor { get; }

    /// <summary>
    /// Checks whether the serializer that the contract names supports the messages of the method. Called before the first call is made or accepted.
    /// </summary>
    /// <exception cref="InvalidOperationException">It does not; the message names the method and the type.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    static virtual void Prepare()
    {
    }

    /// <summary>Writes the detail of a failure.</summary>
    /// <returns>The number that the contract gives to details of this type, 1 to 65,535; 0, and nothing is written, if it declares none.</returns>
    static virtual int EncodeDetail(ref MessageWriter writer, object detail) => 0;

    /// <summary>Reads the detail of a failure.</summary>
    /// <returns>Null if the contract declares no detail of this number: the two sides were built against different contracts.</returns>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    static virtual object? DecodeDetail(int number, ReadOnlySpan<byte> body) => null;
}
