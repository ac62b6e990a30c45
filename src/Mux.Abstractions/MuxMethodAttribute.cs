namespace Mux;

/// <summary>Changes how one method of a <see cref="MuxServiceAttribute">service contract</see> travels or runs.</summary>
/// <remarks>Its handler may use the <see cref="CancellationToken"/> it was given until it has returned, that is until its task has completed, and not in work
/// that goes on after that: the token is then another call's.</remarks>
/// <param name="name">The wire name of the method, 1 to 127 characters; by default its C# name without <c>Async</c> at the end.
/// Two overloads need different names.</param>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class MuxMethodAttribute(string? name = null) : MuxChoicesAttribute
{
    /// <summary>The wire name of the method, or null for its C# name without <c>Async</c>.</summary>
    public string? Name { get; } = name;

    /// <summary>
    /// The caller does not wait for the handler: the call completes as soon as the request stands in the outgoing queue, and nobody
    /// learns whether the handler ran or failed. Only for methods that return <see cref="ValueTask"/> or <see cref="Task"/>.
    /// </summary>
    /// <value>False by default.</value>
    public bool OneWay { get; set; }
}
