using Mux.Contracts;

namespace Mux.Push;

/// <summary>Makes the calls of proxies whose one-way calls go to all members of a group. Other methods fail when they are called.</summary>
/// <param name="target">The groups.</param>
/// <param name="except">Who gets none of the calls; null if all members do.</param>
/// <param name="report">Learns what becomes of the calls, which then complete without waiting for members; null if their callers wait.</param>
internal sealed class GroupInvoker(GroupTarget target, GroupExcept? except, GroupSend? report = null) : CallInvoker
{
    public override MethodCaller<TRequest, TResponse> Bind<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) =>
        target.Kind.Methods.Find(method.Descriptor.FullName) is TypedGroupMethod<TRequest, TResponse> known
            ? new GroupCaller<TRequest, TResponse>(known, method, target, except, report)
            : new RefusedCaller<TRequest, TResponse>(method.Descriptor);

    public override StreamCaller<TRequest, TItem, TResponse> BindStream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method) =>
        new RefusedStreamCaller<TRequest, TItem, TResponse>(method.Descriptor);
}
