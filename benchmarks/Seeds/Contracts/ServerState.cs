using System.Runtime.Serialization;

namespace Seeds.Contracts;

/// <summary>Memory and connections of the server's process.</summary>
[DataContract]
internal sealed class ServerState
{
    /// <summary>Managed bytes in use, arrays that wait in pools included.</summary>
    [DataMember(Order = 1)]
    public long Managed { get; set; }

    /// <summary>Resident bytes of the process.</summary>
    [DataMember(Order = 2)]
    public long Resident { get; set; }

    [DataMember(Order = 3)]
    public int OpenConnections { get; set; }

    /// <summary>Bytes of replies that wait to be sent.</summary>
    [DataMember(Order = 4)]
    public long Unsent { get; set; }
}
