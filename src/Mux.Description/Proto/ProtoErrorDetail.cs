namespace Mux.Description.Proto;

/// <summary>A message that may accompany a failure.</summary>
/// <param name="Number">Its number.</param>
/// <param name="Message">Its full name; null if its format is not protobuf.</param>
internal sealed record ProtoErrorDetail(int Number, string? Message);
