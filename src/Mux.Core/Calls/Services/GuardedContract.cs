using Mux.Contracts;

namespace Mux.Calls;

/// <summary>The methods of a contract with another authorization than it declares. Filled by one visit, then visited any number of times.</summary>
/// <param name="authorization">The callers that may call.</param>
internal sealed class GuardedContract(MethodAuthorization authorization) : IMethodVisitor
{
    private readonly List<Action<IMethodVisitor>> _methods = [];

    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        var guarded = new UnaryMethod<TRequest, TResponse>(
            method.Descriptor.WithAuthorization(authorization), method.Requests, method.Responses, method.Invoke)
        {
            Details = method.Details,
            KeyOf = method.KeyOf,
            KeyName = method.KeyName,
            Describe = method.Describe,
            Batch = method.Batch,
        };
        _methods.Add(visitor => visitor.Unary(guarded));
    }

    public void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method)
    {
        var guarded = new StreamMethod<TRequest, TItem, TResponse>(
            method.Descriptor.WithAuthorization(authorization), method.Requests, method.Items, method.Responses)
        {
            Details = method.Details,
            KeyOf = method.KeyOf,
            KeyName = method.KeyName,
            Describe = method.Describe,
            Invoke = method.Invoke,
            InvokeAsync = method.InvokeAsync,
        };
        _methods.Add(visitor => visitor.Stream(guarded));
    }

    public void Describe(IMethodVisitor visitor)
    {
        foreach (var describe in _methods) describe(visitor);
    }
}
