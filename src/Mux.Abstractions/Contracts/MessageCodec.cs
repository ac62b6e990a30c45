using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>
/// Writes and reads the messages of one direction of a method, or the items of one of its streams. Generated code has a class per type of message, so that
/// methods with the same messages share code. Safe for concurrent use.
/// </summary>
/// <typeparam name="T">The message; <see cref="MuxUnit"/> for none, <see cref="ByteChunk"/> for bytes.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class MessageCodec<T>
{
    /// <summary>Creates the codec.</summary>
    /// <param name="name">Name of the message in errors: the method, and the parameter if it is one.</param>
    protected MessageCodec(string name) => Name = name;

    /// <summary>Gets the name of the message in errors.</summary>
    public string Name { get; }

    /// <summary>Gets a value indicating whether <typeparamref name="T"/> is a <see cref="MuxResult{T}"/>, which can hold a failure.</summary>
    public virtual bool HoldsFailures => false;

    /// <summary>Writes a message. If it throws, nothing of the message is sent, and only its call fails.</summary>
    public abstract void Encode(ref MessageWriter writer, T message);

    /// <summary>Reads a message. Must copy what it keeps: the bytes are valid only during the call.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    public abstract T Decode(ReadOnlySpan<byte> body);

    /// <summary>Checks whether the serializer that the contract names supports the message. Called before the first call is made or accepted.</summary>
    /// <exception cref="InvalidOperationException">It does not; the message names the method and the type.</exception>
    public virtual void Prepare()
    {
    }

    /// <summary>If it <see cref="HoldsFailures"/>: creates the result of a call that failed.</summary>
    public virtual T FromFailure(MuxFailure failure) => throw new NotSupportedException();

    /// <summary>If it <see cref="HoldsFailures"/>: gets the failure in a result, or null.</summary>
    public virtual MuxFailure? FailureOf(T message) => null;
}
