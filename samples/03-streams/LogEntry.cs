using System.Runtime.Serialization;
using Mux;

// Dates as Google's Timestamp, which every library of protobuf reads: for all new contracts. Without a level they are written as by protobuf-net 2.
[assembly: MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)]

namespace Streams;

/// <param name="Number">Position in the log, from 0.</param>
/// <param name="Text">What happened.</param>
/// <param name="At">When: in UTC, because the kind of a date is not sent, and a reader gets it as UTC.</param>
[DataContract]
public sealed record LogEntry(
    [property: DataMember(Order = 1)] int Number, [property: DataMember(Order = 2)] string Text, [property: DataMember(Order = 3)] DateTime At);
