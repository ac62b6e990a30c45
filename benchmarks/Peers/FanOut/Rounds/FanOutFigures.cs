namespace FanOut.Rounds;

/// <summary>What a run has given.</summary>
/// <param name="Rate">Deliveries per second: an item to a connection is one.</param>
/// <param name="ServerProcessor">Processor time of the server per delivery, in microseconds.</param>
/// <param name="ReceiverProcessor">The same of the receivers.</param>
/// <param name="Bytes">Managed bytes that the server allocates per delivery.</param>
internal sealed record FanOutFigures(double Rate, double ServerProcessor, double ReceiverProcessor, double Bytes);
