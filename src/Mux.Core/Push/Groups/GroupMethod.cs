using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Push;

/// <summary>A one-way method that groups call, with what each of its calls needs.</summary>
internal abstract class GroupMethod(MethodDescriptor descriptor)
{
    public CalledMethod Called { get; } = new(descriptor);

    /// <summary>Options in the head of every request.</summary>
    public RequestOptions Options { get; } = OutgoingOptions.OfMethod(descriptor);

    /// <summary>Time that members have, in microseconds: that of the contract, or <see cref="Clock.Never"/>.</summary>
    public long Deadline { get; } = descriptor.Choices.Timeout is { } timeout ? (long)timeout.TotalMicroseconds : Clock.Never;

    /// <summary>Calls the method on an implementation, for peers that a test made.</summary>
    /// <param name="service">The implementation.</param>
    /// <param name="body">The encoded request.</param>
    public abstract ValueTask InvokeAsync(object service, ReadOnlySpan<byte> body);
}
