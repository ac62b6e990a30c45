using System.Runtime.Serialization;

namespace Errors;

[DataContract]
public sealed record Throttled([property: DataMember(Order = 1)] int CallsPerSecond);
