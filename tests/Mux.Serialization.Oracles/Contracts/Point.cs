using System.Runtime.Serialization;

namespace Mux.Serialization.Oracles.Contracts;

[DataContract]
public readonly record struct Point([property: DataMember(Order = 1)] float X, [property: DataMember(Order = 2)] float Y);
