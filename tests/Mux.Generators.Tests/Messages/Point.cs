using System.Runtime.Serialization;

namespace Mux.Generators.Tests.Messages;

[DataContract]
public readonly record struct Point([property: DataMember(Order = 1)] float X, [property: DataMember(Order = 2)] float Y);
