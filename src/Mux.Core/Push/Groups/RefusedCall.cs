using Mux.Contracts;

namespace Mux.Push;

/// <summary>Says why a group does not call a method.</summary>
internal static class RefusedCall
{
    public static NotSupportedException Of(MethodDescriptor method) => new(
        $"{method.FullName} is not one-way, and a group calls only one-way methods: a call that goes to many peers has no reply. Give it " +
        "[MuxMethod(OneWay = true)], or call the peers one by one: peer.Get<T>().");
}
