using System.Runtime.Serialization;

namespace Errors;

[DataContract]
public sealed record TooLittle([property: DataMember(Order = 1)] int Balance, [property: DataMember(Order = 2)] int Missing);
