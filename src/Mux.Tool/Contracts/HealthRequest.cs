using System.Runtime.Serialization;

namespace Mux.Tool.Contracts;

/// <summary>The service that is asked about.</summary>
[DataContract]
internal sealed class HealthRequest
{
    /// <summary>Empty for the server.</summary>
    [DataMember(Order = 1)]
    public string Service { get; set; } = "";
}
