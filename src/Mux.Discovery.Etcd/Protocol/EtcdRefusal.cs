namespace Mux.Discovery.Etcd.Protocol;

/// <summary>What a refusal of etcd means for the next attempt.</summary>
internal enum EtcdRefusal
{
    /// <summary>No member could be asked: another attempt may succeed.</summary>
    None = 0,

    /// <summary>The cluster has answered: other members would answer the same.</summary>
    Refused = 1,

    /// <summary>The token is unknown, by its age or because the member was restarted: log in again.</summary>
    Token = 2,

    /// <summary>Authentication is not enabled: no login is needed.</summary>
    NoAuthentication = 3,
}
