using System.Runtime.Serialization;

namespace Mux.Tests.Contracts;

[DataContract]
public record struct Point([property: DataMember(Order = 1)] int X, [property: DataMember(Order = 2)] int Y);
