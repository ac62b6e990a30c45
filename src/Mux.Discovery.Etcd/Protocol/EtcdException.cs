namespace Mux.Discovery.Etcd.Protocol;

/// <summary>etcd cannot be asked, or refuses.</summary>
/// <param name="message">What was asked of which member, and the reason. Contains no secret.</param>
/// <param name="refusal">The kind of refusal.</param>
/// <param name="inner">The cause.</param>
internal sealed class EtcdException(string message, EtcdRefusal refusal = EtcdRefusal.None, Exception? inner = null) : IOException(message, inner)
{
    public EtcdRefusal Refusal => refusal;
}
