using System.Runtime.Serialization;

namespace Cluster;

/// <param name="Price">In cents.</param>
/// <param name="Server">The server that answered.</param>
[DataContract]
public sealed record Quote([property: DataMember(Order = 1)] int Price, [property: DataMember(Order = 2)] int Server);
