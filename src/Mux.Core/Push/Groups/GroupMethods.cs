using Mux.Contracts;

namespace Mux.Push;

/// <summary>The one-way methods of a contract, by name. Does not change once it is made.</summary>
internal sealed class GroupMethods : IMethodVisitor
{
    private readonly Dictionary<string, GroupMethod> _byName = new(StringComparer.Ordinal);

    private GroupMethods(string service, Func<MuxPeer, object> proxyOf) => (Service, ProxyOf) = (service, proxyOf);

    /// <summary>Those of no contract.</summary>
    public static GroupMethods None { get; } = new(string.Empty, static peer => peer);

    /// <summary>The wire name of the contract.</summary>
    public string Service { get; }

    /// <summary>Gets the proxy of a peer.</summary>
    public Func<MuxPeer, object> ProxyOf { get; }

    public IEnumerable<GroupMethod> All => _byName.Values;

    /// <summary>Gets the methods of a contract.</summary>
    /// <exception cref="InvalidOperationException">The interface is no contract, or none of its methods is one-way.</exception>
    public static GroupMethods Of<TService>()
        where TService : class
    {
        var contract = ServiceContract<TService>.Get();
        var methods = new GroupMethods(contract.Name, static peer => peer.Get<TService>());
        contract.Describe(methods);
        if (methods._byName.Count > 0) return methods;
        throw new InvalidOperationException(
            $"{typeof(TService)} has no method with [MuxMethod(OneWay = true)], and a group calls no others: a call that goes to many peers has no reply.");
    }

    /// <summary>Finds a method by its full name; null if the contract has no such one-way method.</summary>
    public GroupMethod? Find(string fullName) => _byName.GetValueOrDefault(fullName);

    void IMethodVisitor.Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method)
    {
        if ((method.Descriptor.Shape & MethodShape.OneWay) == 0) return;
        method.Prepare();
        _byName.Add(method.Descriptor.FullName, new TypedGroupMethod<TRequest, TResponse>(method));
    }
}
