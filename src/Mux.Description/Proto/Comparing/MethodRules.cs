namespace Mux.Description.Proto.Comparing;

/// <summary>Rules for one method.</summary>
internal sealed class MethodRules(
    ContractComparison comparison, ProtoService recordedService, ProtoMethod recorded, ProtoService currentService, ProtoMethod current)
{
    private const int DefaultMaxMessageBytes = 4 << 20;

    private const string OtherName = "keep it, and add a method with another name";

    private readonly ProtoMethodOptions _was = recorded.Options;
    private readonly ProtoMethodOptions _is = current.Options;

    public void Compare()
    {
        int before = comparison.Findings.Count;
        ComparePromises();
        CompareAccess();
        if (ShapeOf(recorded) != ShapeOf(current)) Report(ContractRule.Shape, ShapeOf(recorded), ShapeOf(current), OtherName);
        else if (FormatOf(_was) != FormatOf(_is))
            Report(ContractRule.Format, FormatOf(_was), FormatOf(_is), "keep the serializer, or add a method with another name");
        else CompareBodies();
        CompareDetails();
        comparison.CompareCallbacks(recorded, current);
        if (comparison.Findings.Count != before) return;
        if (!IsSame()) comparison.Note(Compared(), currentService, current);
        else if (_was.RequestFingerprint != _is.RequestFingerprint || _was.ResponseFingerprint != _is.ResponseFingerprint)
            comparison.NoteShape(currentService, current);
    }

    private static string ShapeOf(ProtoMethod method)
    {
        if (method.Options.IsOneWay) return "one-way";
        if (method.Options.Callbacks.Count > 0) return "a method with callbacks";
        return (method.IsRequestStream, method.IsResponseStream) switch
        {
            (false, false) => "a method without streams",
            (true, false) => "a method that takes a stream",
            (false, true) => "a method that returns a stream",
            _ => "a method with streams in both directions",
        };
    }

    private static string FormatOf(ProtoMethodOptions options) => options.Format ?? "protobuf";

    private void CompareBodies()
    {
        CompareBody("request", recorded.Request, current.Request);
        CompareBody("reply", recorded.Response, current.Response);
        CompareArguments();
    }

    private void CompareBody(string what, ProtoMessage? was, ProtoMessage? now)
    {
        if (was is null || now is null) return;
        var (recordedForm, currentForm) = (BodyForm.Of(recordedService, recorded, was), BodyForm.Of(currentService, current, now));
        if (recordedForm != currentForm)
            Report(ContractRule.Body, $"a {what} of {recordedForm}", $"a {what} of {currentForm}", OtherName);
        else if (was.FullName.StartsWith("mux.", StringComparison.Ordinal)) return;
        else if (was.FullName == now.FullName || recordedForm == BodyForm.Arguments) comparison.Compare(was, now, recordedForm == BodyForm.Arguments);
        else if (!comparison.TryCompare(was, now, isArguments: false))
            Report(ContractRule.Body, $"a method with the {what} '{was.FullName}'", $"one with '{now.FullName}'", OtherName);
    }

    private void CompareArguments()
    {
        if (_was.Arguments is null != _is.Arguments is null)
        {
            Report(ContractRule.Body, Describe(_was), Describe(_is), OtherName);
            return;
        }

        if (_was.Arguments is null || !comparison.Recorded.Messages.TryGetValue(_was.Arguments, out var was)) return;
        if (comparison.Current.Messages.TryGetValue(_is.Arguments!, out var now)) CompareBody("beginning of the request", was, now);

        static string Describe(ProtoMethodOptions options) => options.Arguments is null ? "without arguments" : "with arguments";
    }

    private void CompareDetails()
    {
        foreach (var detail in _was.Details)
        {
            var other = _is.Details.Find(other => other.Number == detail.Number);
            var moved = _is.Details.Find(other => other.Message is not null && other.Message == detail.Message);
            if (other is null || (other.Message != detail.Message && (moved is not null || other.Message is null || detail.Message is null)))
            {
                Report(
                    ContractRule.Detail, $"a method with the error {Describe(detail)}",
                    moved is null ? "a method without it" : $"a method with {Describe(moved)}",
                    $"keep [MuxError({detail.Number}, ...)], and give other errors other numbers");
            }
            else if (detail.Message is not null && comparison.Recorded.Messages.TryGetValue(detail.Message, out var was)
                && comparison.Current.Messages.TryGetValue(other.Message!, out var now))
            {
                comparison.Compare(was, now);
            }
        }

        static string Describe(ProtoErrorDetail detail) => $"{detail.Number} ({detail.Message ?? "of another format"})";
    }

    private void ComparePromises()
    {
        if (recorded.IdempotencyLevel > 0 && current.IdempotencyLevel == 0)
            Report(ContractRule.Promise, "idempotent", "not idempotent", "keep Idempotent = true, because callers repeat calls");
        if (_is.TimeoutMilliseconds > 0 && (_was.TimeoutMilliseconds == 0 || _is.TimeoutMilliseconds < _was.TimeoutMilliseconds))
        {
            Report(
                ContractRule.Promise, _was.TimeoutMilliseconds == 0 ? "without a deadline" : $"limited to {_was.TimeoutMilliseconds} ms",
                $"limited to {_is.TimeoutMilliseconds} ms", "keep TimeoutMilliseconds");
        }

        var (wasLimit, limit) = (LimitOf(_was), LimitOf(_is));
        if (limit < wasLimit) Report(ContractRule.Promise, $"limited to {wasLimit} bytes", $"limited to {limit} bytes", "keep MaxMessageBytes");
    }

    private static string DeadlineOf(ProtoMethodOptions options) =>
        options.TimeoutMilliseconds == 0 ? "no deadline" : $"a deadline of {options.TimeoutMilliseconds} ms";

    private static int LimitOf(ProtoMethodOptions options) => options.MaxMessageBytes == 0 ? DefaultMaxMessageBytes : options.MaxMessageBytes;

    private void CompareAccess()
    {
        var (was, now) = (Describe(_was.Authorization), Describe(_is.Authorization));
        if (was != now) Report(ContractRule.Access, $"open to {was}", $"open to {now}", "check that its callers may still call it");

        static string Describe(ProtoAuthorization? access)
        {
            if (access is null) return "callers that the server admits";
            if (access.AllowsAnonymous) return "all";
            var texts = access.Policies.Select(static policy => $"policy '{policy}'").Concat(access.Roles.Select(static roles => $"roles '{roles}'"));
            var all = string.Join(", ", texts);
            return all.Length > 0 ? all : access.RequiresUser ? "users" : "callers that the server admits";
        }
    }

    // What no rule is about, but other programs read in the file.
    private bool IsSame() =>
        recorded.Name == current.Name && recorded.IsDeprecated == current.IsDeprecated && recorded.IdempotencyLevel == current.IdempotencyLevel
        && recorded.RequestName == current.RequestName && recorded.ResponseName == current.ResponseName && _was.Arguments == _is.Arguments
        && _was.TimeoutMilliseconds == _is.TimeoutMilliseconds && _was.MaxMessageBytes == _is.MaxMessageBytes && _was.Priority == _is.Priority
        && _was.Details.SequenceEqual(_is.Details) && _was.Callbacks.SequenceEqual(_is.Callbacks, StringComparer.Ordinal);

    private Differences Compared()
    {
        var texts = new Differences().Name(recorded.Name, current.Name)
            .Deprecated(recorded.IsDeprecated, current.IsDeprecated)
            .Other("idempotency", recorded.IdempotencyLevel == current.IdempotencyLevel)
            .Became(recorded.RequestName, current.RequestName)
            .Became(recorded.ResponseName, current.ResponseName)
            .Other("arguments", _was.Arguments == _is.Arguments)
            .Became(DeadlineOf(_was), DeadlineOf(_is))
            .Became($"a limit of {LimitOf(_was)} bytes", $"a limit of {LimitOf(_is)} bytes")
            .Other("priority", _was.Priority == _is.Priority)
            .Other("errors", _was.Details.SequenceEqual(_is.Details))
            .Other("callbacks", _was.Callbacks.SequenceEqual(_is.Callbacks, StringComparer.Ordinal));
        return texts.Any ? texts : texts.Other("options", false);
    }

    private void Report(ContractRule rule, string was, string now, string remedy) => comparison.Report(
        new ContractFinding(rule, ContractComparison.NameOf(recordedService, recorded), was, now, remedy)
        {
            RecordedType = recordedService,
            RecordedPosition = recorded.Position,
            CurrentType = currentService,
            CurrentMember = current,
        });
}
